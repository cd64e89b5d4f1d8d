import type { PageRequest } from '@reseller/contracts';
import {
  pageBounds,
  query,
  toPageInfo,
  withTransaction,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import { isUuid } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { StoredProduct } from '../order/details-table';
import type { Order } from '../order/domain/order';
import { orderIdOf } from '../order/domain/order-id';
import { ORDER_COLUMNS, orderSource, toOrder, type OrderRow } from '../order/order-row';
import { PARKED_ORDERS } from '../order/parked.sql';
import type { OrderFilter, OrderPage } from '../order/order.repository';

/** What an operator looks for; what is undefined does not narrow it, and each is exact (spec §18.7). */
export interface OperatorFilter extends OrderFilter {
  readonly orderGlobalId?: string | undefined;
  readonly externalReference?: string | undefined;
  /** Of a top-up. */
  readonly phoneNumber?: string | undefined;
  /** Only orders of which something waits for a person. */
  readonly isParked?: boolean | undefined;
}

// Only the reference can hold a space, so what begins with "<reference> <product> <environment> " has this reference, but for
// references that go on just so.
const OF_REFERENCE = `SELECT o.id FROM unnest($1::text[]) AS prefix
  JOIN orders AS o ON o.reference_key >= prefix || ' ' AND o.reference_key < prefix || '!'`;
// Of orders under way no index has the phone number and the vendor's id: their sagas are few.
const UNDER_WAY = `SELECT order_id AS id FROM sagas WHERE state = 'Active' UNION ALL SELECT order_id FROM sagas WHERE state = 'Parked'`;
const ENDED = `status NOT IN ('Pending', 'Processing')`;
const OF_PHONE = `SELECT id FROM orders WHERE product = 'Topup' AND ${ENDED} AND request ->> 'phoneNumber' = $1
  UNION SELECT id FROM orders WHERE id = ANY (ARRAY(${UNDER_WAY})) AND product = 'Topup' AND request ->> 'phoneNumber' = $1`;

/** Where a list begins: the few orders that its narrowest filter leaves, by an index. The key's value is $1. */
const CANDIDATES = {
  id: 'SELECT $1::uuid AS id',
  reference: OF_REFERENCE,
  phone: OF_PHONE,
  parked: `SELECT order_id AS id FROM (${PARKED_ORDERS}) AS parked WHERE $1::text IS NULL`,
} as const;
type CandidateKind = keyof typeof CANDIDATES;

const NARROWED = `($2::uuid IS NULL OR partner_id = $2) AND ($3::text IS NULL OR environment = $3)
  AND ($4::text IS NULL OR product = $4) AND ($5::text IS NULL OR status = $5)
  AND ($6::timestamptz IS NULL OR submitted_at >= $6) AND ($7::timestamptz IS NULL OR submitted_at < $7)
  AND ($8::text IS NULL OR global_id = $8) AND ($9::text IS NULL OR external_reference = $9)
  AND ($10::text IS NULL OR request ->> 'phoneNumber' = $10)
  AND ($11::boolean IS NULL OR id IN (${PARKED_ORDERS}))`;

// Raw: bitmaps over several indexes, and the total with the page by one snapshot.
const listOf = (kind: CandidateKind, visible: string, way: 'DESC' | 'ASC'): PreparedStatement => ({
  name: `operator_orders_by_${kind}_${way}`,
  text: `WITH candidates AS MATERIALIZED (${CANDIDATES[kind]}), found AS MATERIALIZED (
      SELECT ${ORDER_COLUMNS} FROM orders
      WHERE id = ANY (ARRAY(SELECT id FROM candidates)) AND ${NARROWED} AND ${visible}
    )
    SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
    LEFT JOIN (SELECT * FROM found ORDER BY "submittedAt" ${way}, id ${way} OFFSET $12 LIMIT $13) AS page ON true
    ORDER BY page."submittedAt" ${way}, page.id ${way}`,
});

const VALUES = `saga_id, vendor_order_id, customer_ref, request ->> 'phoneNumber', external_reference, global_id`;

// Raw: as above. $3 is the order's id, $4 and $5 the ids of orders made when a saga's id was.
const searchOf = (visible: string): PreparedStatement => ({
  name: 'operator_orders_search',
  text: `WITH candidates AS MATERIALIZED (
      ${OF_REFERENCE} UNION SELECT $3::uuid
      UNION ${OF_PHONE.replaceAll('$1', '$2')}
      UNION SELECT id FROM orders WHERE vendor_order_id = $2 AND ${ENDED}
      UNION SELECT id FROM orders WHERE id = ANY (ARRAY(${UNDER_WAY})) AND vendor_order_id = $2
      UNION SELECT id FROM orders WHERE saga_id = $2 AND request ->> 'sagaId' IS NOT NULL
      UNION SELECT id FROM orders WHERE id >= $4::uuid AND id < $5::uuid AND saga_id = $2
      UNION SELECT id FROM orders WHERE customer_ref = $2
    )
    SELECT ${ORDER_COLUMNS} FROM orders
    WHERE id = ANY (ARRAY(SELECT id FROM candidates)) AND ${visible} AND (id::text = lower($2) OR $2 IN (${VALUES}))
    ORDER BY submitted_at DESC, id DESC LIMIT $6`,
});

// A planner that knows nothing of a table takes reading all of it for as good as an index.
const BY_INDEXES: PreparedStatement = {
  name: 'operator_orders_by_indexes',
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`,
};

type ListedRow = { total: string } & (OrderRow | { id: null });

/** Finds orders of every partner by what an operator has in hand; the cost is that of the orders found (docs/adr/0014). */
export class OrderSearchRepository {
  private readonly visible: string;

  constructor(
    private readonly pool: Pool,
    private readonly products: readonly StoredProduct[],
  ) {
    this.visible = orderSource(products).visible;
  }

  /** A page of the orders that fit; undefined when nothing in the filter names few orders. */
  async list(
    filter: OperatorFilter,
    page: PageRequest | undefined,
    isOldestFirst = false,
  ): Promise<OrderPage | undefined> {
    const start = this.startOf(filter);
    if (!start) return undefined;
    const { limit, offset } = pageBounds(page);
    const { partnerId, environment, product, status, fromAt, toAt, isParked } = filter;
    const { orderGlobalId, externalReference, phoneNumber } = filter;
    const values = [start.key, partnerId, environment, product, status, fromAt, toAt];
    const exact = [orderGlobalId, externalReference, phoneNumber, isParked || undefined];
    const statement = listOf(start.kind, this.visible, isOldestFirst ? 'ASC' : 'DESC');
    const rows = await this.read<ListedRow>(statement, [...values, ...exact, offset, limit]);
    const found = rows.filter((row): row is ListedRow & OrderRow => row.id !== null);
    return { orders: found.map(toOrder), page: toPageInfo(page, Number(rows[0]?.total ?? 0)) };
  }

  /** The newest orders of which the whole text is an id or a reference. */
  async search(text: string, limit: number): Promise<Order[]> {
    const id = isUuid(text) ? text : orderIdOf(text);
    const values = [this.prefixesOf(text, {}), text, id, ...idsMadeWith(text), limit];
    return (await this.read<OrderRow>(searchOf(this.visible), values)).map(toOrder);
  }

  private startOf(filter: OperatorFilter): { kind: CandidateKind; key: unknown } | undefined {
    const { orderGlobalId, externalReference, phoneNumber, isParked } = filter;
    if (orderGlobalId !== undefined) return { kind: 'id', key: orderIdOf(orderGlobalId) };
    if (externalReference !== undefined)
      return { kind: 'reference', key: this.prefixesOf(externalReference, filter) };
    if (phoneNumber !== undefined) return { kind: 'phone', key: phoneNumber };
    return isParked ? { kind: 'parked', key: undefined } : undefined;
  }

  // What a reference_key with this reference begins with; see the column.
  private prefixesOf(reference: string, { product, environment }: OrderFilter): string[] {
    const names = product ? [product] : this.products.map(({ name }) => name);
    const environments = environment ? [environment] : ['sandbox', 'live'];
    return names.flatMap((name) => environments.map((one) => `${reference} ${name} ${one}`));
  }

  private read<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return withTransaction(this.pool, async (tx: Queryable) => {
      await query(tx, BY_INDEXES);
      return query<Row>(tx, statement, values);
    });
  }
}

// A saga's id that is ours was made a moment after its order's: both are UUIDv7, which begin with their time.
const MADE_WITHIN_MS = 1_000;
/** Where a UUID says its version. */
const VERSION_AT = 14;

function idsMadeWith(sagaId: string): [from: string, to: string] | [null, null] {
  if (!isUuid(sagaId) || sagaId[VERSION_AT] !== '7') return [null, null];
  const at = parseInt(sagaId.replace('-', '').slice(0, 12), 16);
  return [firstIdAt(at - MADE_WITHIN_MS), firstIdAt(at + MADE_WITHIN_MS)];
}

function firstIdAt(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
