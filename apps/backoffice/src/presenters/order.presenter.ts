import type { OrderSummary, TimelineEntry, WalletTransaction } from '@reseller/contracts';
import { presentOrderSummary, presentRequiredMoment, presentTransaction } from '@reseller/presenters';
import { presentDetails } from './details.presenter';
import { presentEnvironment } from './partner.presenter';

/** An order of any partner in the operators' list. */
export function presentOrderRow(order: OrderSummary) {
  return {
    ...presentOrderSummary(order),
    partnerId: order.partnerId,
    environment: presentEnvironment(order.environment),
  };
}

/** One recorded step of the order's saga, or an operator's decision. */
export function presentStep(entry: TimelineEntry) {
  return {
    occurredAt: presentRequiredMoment(entry.occurredAt, 'occurred_at'),
    type: 'SagaStep' as const,
    step: entry.step,
    outcome: entry.outcome,
    details: presentDetails(entry.detailsJson),
  };
}

/** One movement of money for the order. */
export function presentMovement(line: WalletTransaction) {
  const transaction = presentTransaction(line);
  return {
    occurredAt: transaction.timestamp,
    type: 'WalletTransaction' as const,
    step: `wallet.${transaction.transactionType.toLowerCase()}`,
    outcome: 'Done',
    details: { ...transaction },
  };
}
