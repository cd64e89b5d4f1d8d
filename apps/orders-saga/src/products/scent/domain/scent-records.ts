import { FundsState, type OrderFunds } from '@reseller/contracts';
import {
  isEqual,
  type Checkout,
  type Funds,
  type OrderState,
} from '../../../reconciliation/domain/expected-records';

/** What the ledger may hold of a scent order that stands so (spec §7.2), by its status and its open step. */
export function allowedScentFunds({ status, openStep }: OrderState): Funds[] {
  if (status !== 'Pending') return ['charged', 'partly refunded', 'refunded'];
  switch (openStep) {
    case 'checkout.commit':
      return ['charged'];
    case 'funds.settle':
      return ['held', 'charged'];
    case 'funds.reserve':
      return ['none', 'held'];
    default:
      return ['none'];
  }
}

/** What the shop may hold of a scent order that stands so. */
export function allowedCheckouts({ status, openStep }: OrderState): Checkout[] {
  if (status !== 'Pending') return ['committed'];
  switch (openStep) {
    case 'checkout.begin':
      return ['none', 'begun', 'cancelled'];
    case 'checkout.cancel':
      return ['begun', 'cancelled'];
    case 'checkout.commit':
      return ['begun', 'committed'];
    default:
      return ['begun'];
  }
}

/** What is to be refunded of a paid order, where the ledger has something else; undefined when it agrees. */
export function missedRefund({ refundDue }: OrderState, record: OrderFunds | undefined): string | undefined {
  if (refundDue === null || record?.state !== FundsState.CHARGED) return undefined;
  return isEqual(refundDue, record.refunded) ? undefined : refundDue;
}
