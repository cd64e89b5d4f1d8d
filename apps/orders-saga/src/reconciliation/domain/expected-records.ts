import { CheckoutState, FundsState, type OrderFunds } from '@reseller/contracts';
import { decimal } from '@reseller/money';
import type { OrderStatus } from '../../order/domain/order';

/** An order as far as its neighbours' records depend on it. */
export interface OrderState {
  readonly id: string;
  readonly globalId: string;
  readonly product: string;
  readonly status: OrderStatus;
  /** What is charged, a decimal. */
  readonly amount: string;
  /** The step that is intended and has no result: its effect may or may not be there yet. */
  readonly openStep: string | null;
  /** What the units that came back of a scent order are worth, goods with VAT, a decimal; null while a task may be giving more back. */
  readonly refundDue: string | null;
  /** Of its last journal entry; whoever reads the same twice knows that nothing was decided in between. */
  readonly seq: string;
}

/** What the ledger may hold of an order. */
export type Funds = 'none' | 'held' | 'charged' | 'partly refunded' | 'refunded';

/** What the shop may hold of an order. */
export type Checkout = 'none' | 'begun' | 'committed' | 'cancelled';

/**
 * What the ledger may hold of an order that stands so (spec §4.6, §7.2): an effect is there from when its step was
 * intended on, for certain once that has its result.
 */
export function allowedFunds({ product, status, amount, openStep }: OrderState): Funds[] {
  if (decimal(amount).isZero()) return ['none'];
  const may = (step: string, funds: Funds): Funds[] => (openStep === step ? [funds] : []);
  if (product === 'Scent' && status !== 'Pending') return ['charged', 'partly refunded', 'refunded'];
  switch (status) {
    case 'Pending':
      if (openStep === 'checkout.commit') return ['charged'];
      if (openStep === 'funds.settle') return ['held', 'charged'];
      return ['none', ...may('funds.reserve', 'held'), ...may('funds.release', 'held')];
    case 'Processing':
    case 'InterventionRequired':
      return ['held', ...may('funds.capture', 'charged'), ...may('funds.release', 'none')];
    case 'Failed':
    case 'Cancelled':
      return ['none', ...may('funds.release', 'held')];
    case 'Completed':
      return ['charged', ...may('funds.refund', 'refunded')];
    case 'Reversed':
      return ['refunded'];
    default:
      return ['charged', 'partly refunded', 'refunded'];
  }
}

/** What is to be refunded of a paid scent order, where the ledger has something else; undefined when it agrees. */
export function missedRefund(
  { product, refundDue }: OrderState,
  record: OrderFunds | undefined,
): string | undefined {
  if (product !== 'Scent' || refundDue === null || record?.state !== FundsState.CHARGED) return undefined;
  return isEqual(refundDue, record.refunded) ? undefined : refundDue;
}

/** What the shop may hold of a scent order that stands so; see allowedFunds. */
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

/** What the ledger's record comes to; undefined when its amounts are not the order's. */
export function fundsOf(
  order: Pick<OrderState, 'amount'>,
  record: OrderFunds | undefined,
): Funds | undefined {
  if (!record || record.state === FundsState.ENDED) return 'none';
  if (record.state === FundsState.HELD) return isEqual(record.amount, order.amount) ? 'held' : undefined;
  if (record.state !== FundsState.CHARGED || !isEqual(record.captured, order.amount)) return undefined;
  if (decimal(record.refunded).isZero()) return 'charged';
  return isEqual(record.refunded, record.captured) ? 'refunded' : 'partly refunded';
}

const CHECKOUTS: Readonly<Partial<Record<CheckoutState, Checkout>>> = {
  [CheckoutState.BEGUN]: 'begun',
  [CheckoutState.COMMITTED]: 'committed',
  [CheckoutState.CANCELLED]: 'cancelled',
};

/** What the shop's record comes to. */
export function checkoutOf(state: CheckoutState | undefined): Checkout {
  return (state && CHECKOUTS[state]) ?? 'none';
}

/** The ledger's record in words. */
export function describeFunds(record: OrderFunds | undefined): string {
  if (!record || record.state === FundsState.ENDED) return 'none';
  if (record.state === FundsState.HELD) return `held ${record.amount}`;
  return `charged ${record.captured}, refunded ${record.refunded}`;
}

const isEqual = (a: string, b: string): boolean => decimal(a).equals(b);
