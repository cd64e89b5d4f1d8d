import { FundsState, type OrderFunds } from '@reseller/contracts';
import type { OrderStatus } from '../../../order/domain/order';
import {
  isEqual,
  type Checkout,
  type Funds,
  type OrderState,
} from '../../../reconciliation/domain/expected-records';

const FUNDS_AT: Readonly<Partial<Record<string, Funds[]>>> = {
  'checkout.commit': ['charged'],
  'funds.settle': ['held', 'charged'],
  'funds.reserve': ['none', 'held'],
  'funds.release': ['none', 'held', 'charged'],
  'funds.refund': ['charged', 'refunded'],
};

const CHECKOUTS_AT: Readonly<Partial<Record<string, Checkout[]>>> = {
  'checkout.begin': ['none', 'begun', 'cancelled'],
  'checkout.commit': ['begun', 'committed'],
  // Behind a charge that was taken, the commit may have had its effect.
  'funds.refund': ['begun', 'committed'],
  'checkout.restock': ['committed'],
};

const isUnpaid = (status: OrderStatus): boolean => status === 'Pending' || status === 'InterventionRequired';

/** What the ledger may hold of a scent order that stands so (spec §7.2), by its status and its open step. */
export function allowedScentFunds({ status, openStep }: OrderState): Funds[] {
  if (status === 'Failed') return ['none', 'refunded'];
  if (!isUnpaid(status)) {
    const paid: Funds[] = ['charged', 'partly refunded', 'refunded'];
    return status === 'Cancelled' ? ['none', ...paid] : paid;
  }
  const undone: Funds[] = status === 'InterventionRequired' ? ['none', 'refunded'] : ['none'];
  return FUNDS_AT[openStep ?? ''] ?? undone;
}

/** What the shop may hold of a scent order that stands so. */
export function allowedCheckouts({ status, openStep }: OrderState): Checkout[] {
  if (status === 'Failed' || status === 'Cancelled') return ['cancelled', 'committed'];
  if (!isUnpaid(status)) return ['committed'];
  if (openStep === 'checkout.cancel' || openStep === 'groups.cancel') {
    const undone: Checkout[] = status === 'InterventionRequired' ? ['committed'] : [];
    return ['begun', 'cancelled', ...undone];
  }
  return CHECKOUTS_AT[openStep ?? ''] ?? ['begun'];
}

/** What is to be refunded of a paid order, where the ledger has something else; undefined when it agrees. */
export function missedRefund({ refundDue }: OrderState, record: OrderFunds | undefined): string | undefined {
  if (refundDue === null || record?.state !== FundsState.CHARGED) return undefined;
  return isEqual(refundDue, record.refunded) ? undefined : refundDue;
}
