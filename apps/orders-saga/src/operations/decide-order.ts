import { AppError } from '@reseller/errors';
import { moveStatus, type EsimActivation, type Order } from '../order/domain/order';
import { eventOf } from '../order/order-events';
import type { OrderRepository } from '../order/order.repository';
import { intentOf, type JournalEntry } from '../saga/domain/journal';
import type { LeaseKeeper } from '../saga/lease-keeper';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaEngine } from '../saga/saga-engine';
import type { Grant, SagaRepository, SagaState } from '../saga/saga.repository';
import type { VendorDirectory } from '../clients/vendors/vendor-directory';
import { DECISIONS, type DecisionKind, type DecisionRule } from './domain/decision';
import { learnActivation } from './learn-activation';

/** What deciding an order works with. */
export interface DecideOrderParts {
  readonly orders: OrderRepository;
  readonly sagas: SagaRepository;
  readonly engine: SagaEngine;
  readonly leases: LeaseKeeper;
  readonly running: RunningAttempts;
  readonly vendors: VendorDirectory;
  /** How long an operator waits for the effect on the money, in milliseconds. */
  readonly waitMs: number;
}

/** An operator's decision. */
export interface Decision {
  readonly orderGlobalId: string;
  readonly kind: DecisionKind;
  readonly notes: string;
  readonly operator: string;
  readonly requestId: string;
  /** Of an eSIM resolved as Completed, where the vendor has none. */
  readonly activation?: EsimActivation | undefined;
}

const LOOK_AGAIN_MS = 100;

/**
 * Takes an operator's decision and answers the order once its effect is complete. The same decision again waits for one
 * that is under way; once it is carried out, no move is left to make, and it is CONFLICT_ORDER_STATE like any other
 * that the table does not have (spec §4.4). Taking the lease fences whoever drives the order, so that a decision and a
 * saga never both have their way. With finance away: SERVICE_UNAVAILABLE, and the effect follows by itself; only a
 * cancelled order is answered as such, for it was cancelled at once.
 */
export async function decideOrder(parts: DecideOrderParts, decision: Decision): Promise<Order> {
  const rule = DECISIONS[decision.kind];
  const until = performance.now() + parts.waitMs;
  const found = await parts.orders.findByGlobalId(decision.orderGlobalId);
  if (!found) throw new AppError('NOT_FOUND_ORDER');
  for (let hasTried = false, isFirstLook = true; ; isFirstLook = false) {
    const state = await parts.sagas.load(found.id);
    if (!state) throw new AppError('NOT_FOUND_ORDER');
    const taken = takenDecision(state, decision.kind, rule);
    if (taken === 'done' && !isFirstLook) return state.order;
    if (taken === 'none' || (taken === 'failed' && !hasTried)) {
      hasTried = await take(parts, decision, rule, state);
      continue;
    }
    if (taken === 'failed' || taken === 'done') throw conflict(state.order, rule);
    const leftMs = until - performance.now();
    if (leftMs <= 0) return answerUnfinished(state.order, rule);
    await parts.running.waitForEnd(found.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
}

/** What became of this decision if it was taken before; another one under the same name is a conflict. */
function takenDecision(
  state: SagaState,
  kind: DecisionKind,
  rule: DecisionRule,
): 'none' | 'open' | 'done' | 'failed' {
  const intent = state.journal.findLast(({ step, phase }) => step === rule.step && phase === 'intent');
  if (!intent) return 'none';
  const result = state.journal.find(
    ({ step, phase, attempt }) => step === rule.step && phase === 'result' && attempt === intent.attempt,
  );
  if (result?.outcome === 'Failed') return 'failed';
  if (intent.details?.['decision'] !== kind) throw conflict(state.order, rule);
  return result ? 'done' : 'open';
}

async function take(
  parts: DecideOrderParts,
  decision: Decision,
  rule: DecisionRule,
  { order, journal }: SagaState,
): Promise<boolean> {
  if (order.status !== rule.from) throw conflict(order, rule);
  const { kind, notes, operator, requestId } = decision;
  const activation =
    kind === 'resolve-completed' && order.product === 'Esim'
      ? await learnActivation(parts.vendors, order, journal, decision.activation)
      : undefined;
  const askedAt = performance.now();
  const { owner, leaseMs } = parts.leases;
  const grant = await parts.sagas.takeForOperator(
    { id: order.id, status: rule.from },
    rule.step,
    owner,
    leaseMs,
  );
  if (!grant) return false;
  const details = { decision: kind, operator, notes, ...(activation && { activation }) };
  const entries = [intentOf(journal, rule.step, details), intentOf(journal, rule.next)];
  if (!(await record(parts, order, grant, rule, entries))) return false;
  void parts.engine.resumeInBackground(grant, askedAt, { decidedBy: requestId });
  return true;
}

function record(
  parts: DecideOrderParts,
  order: Order,
  grant: Grant,
  rule: DecisionRule,
  entries: readonly JournalEntry[],
): Promise<Order | undefined> {
  return parts.sagas.advance({
    orderId: order.id,
    epoch: grant.epoch,
    from: rule.from,
    to: moveStatus(order.product, rule.from, rule.at),
    entries,
    next: 'Hold',
    event: rule.at === rule.from ? undefined : eventOf(order, rule.at),
    announcesProcessing: false,
  });
}

function answerUnfinished(order: Order, rule: DecisionRule): Order {
  if (order.status === rule.to) return order;
  throw new AppError('SERVICE_UNAVAILABLE');
}

function conflict(order: Order, rule: DecisionRule): AppError {
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The order is ${order.status}; this decision is for orders that are ${rule.from} and not decided otherwise.`,
    status: order.status,
  });
}
