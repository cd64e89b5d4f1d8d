import {
  OrderDecision,
  type OrderSummary,
  type ParkedWork,
  type TimelineEntry,
  type WalletTransaction,
  type WebhookDelivery,
} from '@reseller/contracts';
import {
  present,
  presentEnum,
  presentOrderSummary,
  presentRequiredMoment,
  presentScentOrder,
  presentWebhookDelivery,
} from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { Absences, BESIDE } from '../absences';
import type { Clients } from '../clients';
import { readPartnerNames, type PartnerNames } from './partner-names';
import type { MAY_BE_MISSING, ORDER_DECISIONS } from './responses/orders';
import { presentDetails, presentEnvironment } from './values.presenter';
import { presentLedgerLine } from './wallet.presenter';

/**
 * An order with its saga's steps, its money and its webhook deliveries in order of time. Whose order hangs because finance or
 * notifier is away sees the rest, and in `missing` what could not be read.
 */
export async function readTimeline(clients: Clients, orderGlobalId: string, call: CallContext) {
  const absences = new Absences<(typeof MAY_BE_MISSING)[number]>();
  const [saga, money, webhooks] = await Promise.all([
    clients.orders.getOrderTimeline({ orderGlobalId }, call),
    absences.unlessAway(
      'WalletTransaction',
      clients.wallets.listTransactionsByReference({ referenceId: orderGlobalId }, call, BESIDE),
    ),
    absences.unlessAway(
      'WebhookDelivery',
      clients.deliveries.listDeliveriesOfOrder({ orderGlobalId }, call, BESIDE),
    ),
  ]);
  const summary = present(saga.summary, 'summary');
  // A stable sort: what a service recorded in the same millisecond stays in its order.
  const entries = [
    ...saga.entries.map(presentStep),
    ...(money?.transactions ?? []).map(presentMovement),
    ...(webhooks?.deliveries ?? []).map(presentDelivery),
  ].sort((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt));
  const scentOrder = saga.scentOrder && presentScentOrder(saga.scentOrder);
  return {
    order: presentOrderRow(summary, await readPartnerNames(clients, [summary], call)),
    decisions: saga.decisions.map((decision) => presentEnum(DECISION_NAMES, decision)),
    ...(scentOrder && { scentOrder }),
    request: presentDetails(saga.requestJson),
    entries,
    ...absences.shown(),
  };
}

/** An order of any partner in the operators' list. */
export function presentOrderRow(order: OrderSummary, names: PartnerNames) {
  return {
    ...presentOrderSummary(order),
    partnerId: order.partnerId,
    partnerName: names.get(order.partnerId) ?? null,
    environment: presentEnvironment(order.environment),
    parked: order.parked.map(presentParked),
  };
}

/** What an operator can decide, under the names that the console shows buttons for. */
const DECISION_NAMES: Partial<Record<OrderDecision, (typeof ORDER_DECISIONS)[number]>> = {
  [OrderDecision.RESOLVE_COMPLETED]: 'ResolveCompleted',
  [OrderDecision.RESOLVE_FAILED]: 'ResolveFailed',
  [OrderDecision.CANCEL]: 'Cancel',
  [OrderDecision.REVERSE]: 'Reverse',
};

function presentParked({ step, code, reason, since, subjectId }: ParkedWork) {
  return { step, code, reason, since: presentRequiredMoment(since, 'since'), subjectId: subjectId ?? null };
}

/** One recorded step of the saga, or an operator’s remark or decision. */
export function presentStep(entry: TimelineEntry) {
  return {
    occurredAt: presentRequiredMoment(entry.occurredAt, 'occurred_at'),
    type: 'SagaStep' as const,
    step: entry.step,
    outcome: entry.outcome,
    details: presentDetails(entry.detailsJson),
  };
}

function presentMovement(line: WalletTransaction) {
  const transaction = presentLedgerLine(line);
  return {
    occurredAt: transaction.timestamp,
    type: 'WalletTransaction' as const,
    step: `wallet.${transaction.transactionType.toLowerCase()}`,
    outcome: 'Done',
    details: { ...transaction },
  };
}

function presentDelivery(message: WebhookDelivery) {
  const delivery = presentWebhookDelivery(message);
  return {
    occurredAt: delivery.createdAt,
    type: 'WebhookDelivery' as const,
    step: `webhook.${delivery.eventType}`,
    outcome: delivery.status,
    details: delivery,
  };
}
