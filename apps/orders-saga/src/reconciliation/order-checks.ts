import { CheckoutState } from '@reseller/contracts';
import type { FoundDifference, Queryable, ReconciliationCheck } from '@reseller/database';
import { orderIdOf } from '../order/domain/order-id';
import { productOf } from '../products';
import { allowedCheckouts } from '../products/scent/domain/scent-records';
import { checkoutOf, describeFunds, fundsOf, isFree, type OrderState } from './domain/expected-records';
import { isFunded, type Ledger } from '../clients/finance/ledger';
import type { CheckoutStates } from '../clients/scent-commerce/checkout-states';
import {
  lastSettledOrder,
  lastSettledScentOrder,
  pageOfOrders,
  pageOfScentOrders,
  readKnownOrders,
  readOrderStates,
} from './order-state.repository';

const BATCH = 200;

/** What orders-saga compares with finance and with the scent shop, both ways (docs/adr/0008). */
export function orderChecks({
  ledger,
  checkoutStates: shop,
}: {
  ledger: Ledger;
  checkoutStates: CheckoutStates;
}): ReconciliationCheck[] {
  return [
    ordersAgainst({
      name: 'orders-funds',
      page: pageOfOrders,
      settled: lastSettledOrder,
      read: (keys) => ledger.funds(keys),
      judge(order, record) {
        const product = productOf(order.product);
        const allowed = isFree(order) ? ['none' as const] : product.allowedFunds(order);
        const found = fundsOf(order, record);
        if (found && allowed.includes(found)) {
          const due = product.missedRefund?.(order, record);
          return due === undefined
            ? undefined
            : { kind: 'refund', expected: due, found: record?.refunded ?? '' };
        }
        const expected = allowed.map((one) => (one === 'none' ? one : `${one} ${order.amount}`)).join(' or ');
        return { kind: 'funds', expected: `${expected} (${order.status})`, found: describeFunds(record) };
      },
    }),
    ordersAgainst({
      name: 'orders-checkouts',
      page: pageOfScentOrders,
      settled: lastSettledScentOrder,
      read: (keys) => shop.checkouts(keys),
      judge(order, state) {
        const allowed = allowedCheckouts(order);
        const found = checkoutOf(state);
        if (allowed.includes(found)) return undefined;
        return { kind: 'checkout', expected: `${allowed.join(' or ')} (${order.status})`, found };
      },
    }),
    ordersBehind({
      name: 'funds-orders',
      page: (after, limit) => ledger.fundedKeys(after, limit),
      read: (keys) => ledger.funds(keys),
      isLive: isFunded,
      describe: describeFunds,
    }),
    ordersBehind({
      name: 'checkouts-orders',
      page: (after, limit) => shop.checkoutKeys(after, limit),
      read: (keys) => shop.checkouts(keys),
      isLive: (state) => state === CheckoutState.BEGUN || state === CheckoutState.COMMITTED,
      describe: checkoutOf,
    }),
  ];
}

interface OrdersAgainst<T> extends Required<Pick<ReconciliationCheck, 'name' | 'page' | 'settled'>> {
  read(keys: readonly string[]): Promise<Map<string, T>>;
  judge(order: OrderState, record: T | undefined): Omit<FoundDifference, 'subject'> | undefined;
}

/**
 * Compares orders with another service's records of them. What looks wrong counts only when the order's journal is the same
 * before and after the other service was called: no effect begins before its step is on record, so then it is wrong. The
 * subject is the order's id.
 */
function ordersAgainst<T>({ name, page, settled, read, judge }: OrdersAgainst<T>): ReconciliationCheck {
  return {
    name,
    batch: BATCH,
    page,
    settled,
    async compare(db, ids) {
      const orders = await readOrderStates(db, ids);
      const records = await read([...orders.values()].map(({ globalId }) => globalId));
      const suspects = [...orders.values()].flatMap((order) => {
        const fault = judge(order, records.get(order.globalId));
        return fault ? [{ order, fault }] : [];
      });
      const after = await readOrderStates(
        db,
        suspects.map(({ order }) => order.id),
      );
      return suspects
        .filter(({ order: { id, journalLength, status } }) => {
          const now = after.get(id);
          return now?.journalLength === journalLength && now.status === status;
        })
        .map(({ order, fault }) => ({ subject: order.id, ...fault }));
    },
  };
}

interface OrdersBehind<T> {
  name: string;
  page(after: string, limit: number): Promise<string[]>;
  read(keys: readonly string[]): Promise<Map<string, T>>;
  isLive(record: T | undefined): boolean;
  describe(record: T | undefined): string;
}

/**
 * Looks for the order of each record of another service. An order comes before its records and goes after them, so a record
 * that is still there once its order was not is nobody's. The subject is the record's key, an order's global id.
 */
function ordersBehind<T>({ name, page, read, isLive, describe }: OrdersBehind<T>): ReconciliationCheck {
  return {
    name,
    batch: BATCH,
    page: (_db, after, limit) => page(after, limit),
    async compare(db, keys) {
      const missing = await withoutOrder(db, keys);
      if (missing.length === 0) return [];
      const records = await read(missing);
      return missing
        .filter((key) => isLive(records.get(key)))
        .map((key) => ({
          kind: 'order',
          subject: key,
          expected: 'an order',
          found: `none, but ${describe(records.get(key))}`,
        }));
    },
  };
}

async function withoutOrder(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const known = await readKnownOrders(
    db,
    keys.map(orderIdOf).filter((id) => id !== undefined),
  );
  return keys.filter((key) => !known.has(key));
}
