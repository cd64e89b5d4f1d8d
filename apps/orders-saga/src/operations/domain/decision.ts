import { AppError, type ErrorCode } from '@reseller/errors';
import type { PartnerScope } from '@reseller/rpc';
import type { OrderEnvironment, OrderStatus } from '../../order/domain/order';
import { lastDecision, openDecision, resultIn, type JournalEntry } from '../../saga/domain/journal';

/** What an operator can decide of an order. */
export const DECISION_KINDS = ['resolve-completed', 'resolve-failed', 'cancel', 'reverse'] as const;

/** One of DECISION_KINDS. */
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** A decision that the order's saga carries out: from which status, into which, and by which step. */
export interface DecisionRule {
  readonly step: 'operator.resolve' | 'operator.cancel' | 'operator.reverse';
  readonly from: readonly OrderStatus[];
  /** The status as soon as the decision is recorded; absent where it stays as it is. */
  readonly at?: OrderStatus;
  /** The status once its money is settled. */
  readonly to: OrderStatus;
  /** The step of the saga's plan that is then open; undefined when the decision does not fit where the order stands. */
  readonly next: (journal: readonly JournalEntry[]) => string | undefined;
}

/**
 * Who decides, in the course of which request, and why, for the timeline: an operator, or a partner that rehearses in its
 * sandbox (spec §15.1).
 */
export interface OperatorCall {
  /** The operator's name, or what stands for the partner. */
  readonly operator: string;
  /** The partner that decides, of its own things only; absent for an operator, who decides of any. */
  readonly partner?: PartnerScope | undefined;
  /** Whose decisions the operator's count as; the name where it is not said (spec §18.1). */
  readonly account?: string | undefined;
  readonly requestId: string;
  /** The other operator, where one had to agree. */
  readonly approvedBy?: string | undefined;
  readonly notes?: string | undefined;
}

/** The decision of a partner in its sandbox, as its call's. */
export const decisionOfPartner = (partner: PartnerScope, requestId: string): OperatorCall => ({
  operator: `partner ${partner.partnerGlobalId}`,
  partner,
  requestId,
});

/** What is somebody's, in one environment. */
interface Owned {
  readonly partnerId: string;
  readonly environment: OrderEnvironment;
}

/** Throws the code when whoever decides may not: a partner reaches its own things in its sandbox, and no others are there. */
export function requireReach(
  { partner }: Pick<OperatorCall, 'partner'>,
  { partnerId, environment }: Owned,
  code: ErrorCode,
): void {
  if (!partner) return;
  const isOwn = partner.partnerId === partnerId && partner.environment === environment;
  if (!isOwn || environment !== 'sandbox') throw new AppError(code);
}

/**
 * The step that a decision opens now; undefined when the order cannot be decided so. One that could not be carried out may be
 * taken again, also where the order has its status already.
 */
export function stepOfDecision(
  kind: DecisionKind,
  rule: DecisionRule,
  status: OrderStatus,
  journal: readonly JournalEntry[],
): string | undefined {
  if (openDecision(journal)) return undefined;
  const last = lastDecision(journal);
  const isAgain = last?.details?.['decision'] === kind && resultIn(journal, last)?.outcome === 'Failed';
  const isFit = rule.from.includes(status) || (isAgain && status === rule.at);
  return isFit ? rule.next(journal) : undefined;
}
