import type { PartnerClient } from '../clients/partner-client';
import type { Balance, EsimOrder, TopupOrder, Transaction } from '../clients/resources';
import type { ScentOrder } from '../clients/scents';
import type { EnvironmentName } from '../platform/platform-file';
import { rowsOf } from '../platform/rows-of';

/** All that is on record of one partner once nothing moves any more. */
export interface PartnerBooks {
  readonly orders: readonly (TopupOrder | EsimOrder)[];
  readonly lines: readonly Transaction[];
  readonly balance: Balance;
  /** Of the wallet's row: [posted, sum of entries], [held, sum of active reservations]. */
  readonly wallet: {
    readonly posted: string;
    readonly entries: string;
    readonly held: string;
    readonly active: string;
  };
  /** Event types by order id, in order. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly activeSagas: number;
}

/** What holds for the whole platform: ledger transactions that do not add up, deliveries that belong to no order. */
export interface PlatformBooks {
  readonly unbalanced: number;
  readonly orphans: readonly string[];
  /** Keys that the vendor delivered. */
  readonly delivered: ReadonlySet<string>;
}

/** Reads a partner's books by the API, and what no API shows (ADR 0017) from the databases. */
export async function readPartnerBooks(
  partnerId: string,
  environment: EnvironmentName,
  client: PartnerClient,
): Promise<PartnerBooks> {
  const [topups, esims, lines, balance] = [
    await client.orders(),
    await client.all<EsimOrder>('/orders/esim'),
    await client.transactions(),
    await client.balance(),
  ];
  // One by one, as creates return them: a list leaves out the picture of the QR code.
  const orders: (TopupOrder | EsimOrder)[] = [...topups];
  for (const { orderId } of esims) orders.push(await client.esimOrder(orderId));
  const shared = await readShared(
    partnerId,
    environment,
    orders.map(({ orderId }) => orderId),
  );
  return { orders, lines, balance, ...shared };
}

/** What no API shows of a partner, whatever it sells. */
async function readShared(
  partnerId: string,
  environment: EnvironmentName,
  orderIds: readonly string[],
): Promise<Pick<PartnerBooks, 'wallet' | 'events' | 'activeSagas'>> {
  const [wallet] = await rowsOf<PartnerBooks['wallet']>(
    'finance',
    `SELECT posted, held, (SELECT coalesce(sum(amount), 0.00) FROM ledger_entries WHERE wallet_id = w.id) AS entries,
       (SELECT coalesce(sum(amount), 0.00) FROM reservations WHERE wallet_id = w.id AND state = 'active') AS active
     FROM wallets w WHERE partner_id = $1 AND environment = $2`,
    [partnerId, environment],
  );
  const published = await rowsOf<{ id: string; types: string[] }>(
    'orders-saga',
    `SELECT aggregate_id AS id, array_agg(replace(type, 'reseller.orders.v1.', '') ORDER BY aggregate_seq) AS types
     FROM outbox WHERE aggregate_id = ANY($1) GROUP BY 1`,
    [orderIds],
  );
  const [sagas] = await rowsOf<{ n: number }>(
    'orders-saga',
    `SELECT count(*)::int AS n FROM sagas WHERE state = 'Active' AND order_id IN
       (SELECT id FROM orders WHERE partner_id = $1)`,
    [partnerId],
  );
  const events = new Map(published.map(({ id, types }) => [id, types]));
  return { wallet: wallet!, events, activeSagas: sagas!.n };
}

/** All that is on record of a partner's carts and what became of them. */
export interface ScentBooks extends Omit<PartnerBooks, 'orders'> {
  readonly orders: readonly ScentOrder[];
  /** Different carts that were checked out for good. */
  readonly committedCarts: number;
  /** Checkouts that are neither committed nor cancelled. */
  readonly begunCheckouts: number;
  /** Open carts that an order holds. */
  readonly frozenCarts: number;
  /** Redemptions and slots in the air of all the partner's codes, by the codes' own counts. */
  readonly redemptions: number;
  readonly pendingSlots: number;
  readonly unbalanced: number;
}

/** Reads a partner's carts, orders and money by the API, and what no API shows from the databases. */
export async function readScentBooks(
  partnerId: string,
  environment: EnvironmentName,
  client: PartnerClient,
): Promise<ScentBooks> {
  const [orders, lines, balance] = [
    await client.all<ScentOrder>('/orders/scent'),
    await client.transactions(),
    await client.balance(),
  ];
  const shared = await readShared(
    partnerId,
    environment,
    orders.map(({ id }) => id),
  );
  const [shop] = await rowsOf<Omit<ScentBooks, 'orders' | keyof PartnerBooks | 'unbalanced'>>(
    'scent-commerce',
    `SELECT (SELECT count(DISTINCT cart_id)::int FROM checkouts WHERE partner_id = $1 AND state = 'Committed') AS "committedCarts",
       (SELECT count(*)::int FROM checkouts WHERE partner_id = $1 AND state = 'Begun') AS "begunCheckouts",
       (SELECT count(*)::int FROM carts WHERE partner_id = $1 AND status = 'Open' AND order_key IS NOT NULL) AS "frozenCarts",
       (SELECT coalesce(sum(usage_count), 0)::int FROM discount_codes WHERE partner_id = $1) AS redemptions,
       (SELECT coalesce(sum(pending_count), 0)::int FROM discount_codes WHERE partner_id = $1) AS "pendingSlots"`,
    [partnerId],
  );
  return { orders, lines, balance, ...shared, ...shop!, unbalanced: await countUnbalanced() };
}

async function countUnbalanced(): Promise<number> {
  const [ledger] = await rowsOf<{ n: number }>(
    'finance',
    `SELECT count(*)::int AS n FROM (SELECT FROM ledger_entries GROUP BY tx_id HAVING sum(amount) <> 0) AS broken`,
  );
  return ledger!.n;
}

/** Reads what is no partner's alone. */
export async function readPlatformBooks(environment: EnvironmentName): Promise<PlatformBooks> {
  const journal = await rowsOf<{ key: string; deliveries: number }>(
    environment === 'live' ? 'vendor-simulator' : 'orders-saga',
    'SELECT idempotency_key AS key, deliveries FROM vendor_journal',
  );
  const known = await rowsOf<{ id: string }>('orders-saga', 'SELECT global_id AS id FROM orders');
  const ids = new Set(known.map(({ id }) => id));
  return {
    unbalanced: await countUnbalanced(),
    orphans: journal.filter(({ key }) => !ids.has(key)).map(({ key }) => key),
    delivered: new Set(journal.filter(({ deliveries }) => deliveries > 0).map(({ key }) => key)),
  };
}
