import { CheckoutState, FundsState, type OrderFunds } from '@reseller/contracts';
import { decimal } from '@reseller/money';
import type { OrderStatus } from '../../order/domain/order';

/** An order as far as the records of finance and the shop depend on it. */
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
  /** In bytes; each entry adds some, so whoever reads the same twice knows that nothing was decided in between. Null without a saga. */
  readonly journalLength: number | null;
}

/** What the ledger may hold of an order; which of it at which time is the product's to say. */
export type Funds = 'none' | 'held' | 'charged' | 'partly refunded' | 'refunded';

/** What the shop may hold of an order. */
export type Checkout = 'none' | 'begun' | 'committed' | 'cancelled';

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

/** Whether two decimals are the same amount. */
export const isEqual = (a: string, b: string): boolean => decimal(a).equals(b);

/** Whether an order costs nothing, so that the ledger never hears of it. */
export const isFree = ({ amount }: Pick<OrderState, 'amount'>): boolean => decimal(amount).isZero();
