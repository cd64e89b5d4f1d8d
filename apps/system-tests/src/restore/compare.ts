import { halalas } from '../clients/bodies';
import type { TestPartner } from '../clients/operator-client';
import type { OrderSummary } from '../clients/resources';
import { until } from '../until';
import { readPartnerBooks, readPlatformBooks } from '../storm/books';
import { rowsOf } from '../platform/rows-of';
import { acknowledged, sendOrder, type Acknowledged, type Placed } from './load';

const OPEN = ['Pending', 'Processing'];
const UNPAID = ['Failed', 'Cancelled'];
const isOpen = ({ productType, status }: OrderSummary): boolean =>
  // A paid scent order is Processing until its groups are delivered.
  productType === 'Scent' ? status === 'Pending' : OPEN.includes(status);

const ACTIVE_SAGAS = `SELECT count(*)::int AS n FROM sagas s JOIN orders o ON o.id = s.order_id
  WHERE s.state = 'Active' AND o.partner_id = $1 AND o.environment = 'live'`;

/** Waits until no order is under way any more, and returns all of them by id. */
export async function quietOrders(partner: TestPartner): Promise<Map<string, OrderSummary>> {
  const orders = await until('no order is under way', async () => {
    // A scent order that is not priced yet is in no list (spec §7.3), and may be charged a moment later.
    const [{ n: active } = { n: 0 }] = await rowsOf<{ n: number }>('orders-saga', ACTIVE_SAGAS, [partner.id]);
    if (active > 0) return undefined;
    const all = await partner.live.allOrders();
    return all.some(isOpen) ? undefined : all;
  });
  return new Map(orders.map((order) => [order.orderId, order]));
}

/** What does not add up in one partner's books, by the API and by the tables, once all is quiet. */
export async function checkBooks(
  partner: TestPartner,
  orders: ReadonlyMap<string, OrderSummary>,
): Promise<string[]> {
  const faults: string[] = [];
  const books = await readPartnerBooks(partner.id, 'live', partner.live);
  const { unbalanced } = await readPlatformBooks('live');
  if (unbalanced > 0) faults.push(`${unbalanced} ledger transactions do not sum to zero`);
  const { posted, entries, held, active } = books.wallet;
  if (Number(posted) !== Number(entries)) faults.push(`posted ${posted}, entries ${entries}`);
  if (Number(held) !== 0 || Number(active) !== 0) faults.push(`held ${held}, reserved ${active}`);
  const charges = new Map<string, number>();
  let balance = 0;
  for (const line of [...books.lines].reverse()) {
    balance += line.transactionType === 'Credit' ? halalas(line.amount) : -halalas(line.amount);
    if (balance !== halalas(line.balanceAfter)) faults.push(`line ${line.transactionId} has a wrong balance`);
    if (line.transactionType === 'Debit')
      charges.set(line.referenceId, (charges.get(line.referenceId) ?? 0) + 1);
  }
  if (balance !== halalas(books.balance.currentBalance))
    faults.push('the lines do not add up to the balance');
  const paid = [...orders.values()].filter(({ status }) => !UNPAID.includes(status));
  for (const { orderGlobalId } of paid) {
    if (charges.get(orderGlobalId) !== 1)
      faults.push(`${orderGlobalId} has ${charges.get(orderGlobalId) ?? 0} charges`);
    charges.delete(orderGlobalId);
  }
  for (const id of charges.keys()) faults.push(`${id} is charged and is no order`);
  return faults;
}

/** What notifier has of a partner's orders and they of it: an event for each that is Completed, and none of an order that is not there. */
export async function checkAnnounced(
  partner: TestPartner,
  orders: ReadonlyMap<string, OrderSummary>,
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    'notifier',
    `SELECT order_global_id AS id FROM webhook_events
     WHERE partner_id = $1 AND environment = 'live' AND event_type = 'order.completed'`,
    [partner.id],
  );
  const announced = new Set(rows.map(({ id }) => id));
  const known = new Set([...orders.values()].map(({ orderGlobalId }) => orderGlobalId));
  const completed = [...orders.values()].filter(({ status }) => status === 'Completed');
  return [
    ...completed
      .filter(({ orderGlobalId }) => !announced.has(orderGlobalId))
      .map(({ orderGlobalId }) => `${orderGlobalId} is Completed and notifier does not know`),
    ...[...announced]
      .filter((id) => !known.has(id))
      .map((id) => `notifier has an event of ${id}, which is no order`),
  ];
}

/** Keys that the vendor delivered and that are no order here, and captured orders that it did not deliver. */
export async function compareWithVendor(
  orders: readonly OrderSummary[],
): Promise<{ orphans: string[]; faults: string[] }> {
  const { delivered } = await readPlatformBooks('live');
  const bought = orders.filter(
    ({ productType, status }) => productType !== 'Scent' && status === 'Completed',
  );
  const known = new Set(orders.map(({ orderGlobalId }) => orderGlobalId));
  return {
    orphans: [...delivered].filter((key) => !known.has(key)),
    faults: bought
      .filter(({ orderGlobalId }) => !delivered.has(orderGlobalId))
      .map(({ orderGlobalId }) => `${orderGlobalId} is captured and was not delivered`),
  };
}

/** What every reference became when it was sent again, until its response was final. */
export async function sendAllAgain(
  partners: readonly TestPartner[],
  placed: readonly Placed[],
): Promise<{ again: Map<string, Acknowledged>; refused: Map<string, string> }> {
  const waiting = [...placed];
  const again = new Map<string, Acknowledged>();
  const refused = new Map<string, string>();
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { product, reference, partner } = one;
      const client = partners[partner]?.live;
      if (!client) continue;
      const order = one;
      const response = await until(`${reference} gets its response`, async () => {
        const attempt = await sendOrder(client, order);
        const isRunning = attempt.status >= 500 || attempt.state === 'CONFLICT_ORDER_IN_PROGRESS';
        return isRunning ? undefined : attempt;
      });
      if (response.status === 200) again.set(reference, acknowledged(product, response.payload));
      else refused.set(reference, response.state);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return { again, refused };
}

/** What is not as it must be once every reference was sent again: a partner has an order for each, and paid what the responses say. */
export async function checkSpending(
  partner: TestPartner,
  { deposit, orders, sent, again }: Spending,
): Promise<string[]> {
  const faults: string[] = [];
  const spent = sent.reduce((sum, { reference }) => sum + (again.get(reference)?.net ?? 0), 0);
  const { currentBalance } = await partner.live.balance();
  const expected = halalas(deposit) - spent;
  if (halalas(currentBalance) !== expected)
    faults.push(`the balance is ${currentBalance}, not ${expected / 100}`);
  if (orders !== sent.length) faults.push(`${orders} orders for ${sent.length} references`);
  return faults;
}

/** What a partner began with, has, and sent. */
export interface Spending {
  readonly deposit: number;
  readonly orders: number;
  readonly sent: readonly Placed[];
  readonly again: ReadonlyMap<string, Acknowledged>;
}
