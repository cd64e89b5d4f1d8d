import {
  Batcher,
  pageBounds,
  query,
  toPageInfo,
  withTransaction,
  type PageBounds,
  type Patience,
} from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Pool } from 'pg';
import type { Order, OrderEnvironment, OrderStatus } from './domain/order';
import { orderIdOf } from './domain/order-id';
import type { StoredProduct } from './details-table';
import { orderSource, toOrder, type OrderRow } from './order-row';
import { isUuid, type PartnerScope } from '@reseller/rpc';

/**
 * Which orders a list holds; what is undefined does not narrow it. Each field is one that the kept totals know: a list
 * by anything else is a method of its own, as `listByReference` is, on an index that begins with what narrows it.
 */
export interface OrderFilter {
  readonly partnerId?: string | undefined;
  readonly environment?: OrderEnvironment | undefined;
  readonly product?: string | undefined;
  readonly status?: OrderStatus | undefined;
  /** Inclusive, on submission. */
  readonly fromAt?: Date | undefined;
  /** Exclusive, on submission. */
  readonly toAt?: Date | undefined;
}

/** Orders in a page's order, newest first by (submittedAt, id) unless the oldest were requested first, and the page's place in the list. */
export interface OrderPage {
  readonly orders: Order[];
  readonly page: PageInfo;
}

/** An offset at which no list has an order. */
const BEYOND_ALL = '9223372036854775807';

/** The statements of the repository, whose texts follow from the products' tables. */
function statementsOf(products: readonly StoredProduct[]) {
  const { columns, from, visible } = orderSource(products);
  return {
    // Raw: bench row POST top-up; references looked up at the same time share a statement.
    findByReference: {
      name: 'orders_find_by_reference',
      text: `SELECT reference_key AS "referenceKey", ${columns} FROM ${from} WHERE reference_key = ANY($1)`,
    },
    // Raw: bench row POST top-up; with its product's details by one round trip.
    findById: { name: 'orders_find_by_id', text: `SELECT ${columns} FROM ${from} WHERE orders.id = $1` },
    // Raw: as above; that an order is visible and what it shows are of one moment.
    findVisible: {
      name: 'orders_find_visible',
      text: `SELECT ${columns} FROM ${from} WHERE orders.id = $1 AND ${visible}`,
    },
    // Raw: bench row orders list; one snapshot for the total and the page.
    list: {
      name: 'orders_list',
      text: `SELECT list.total, page.* FROM list_orders($1, $2, $3, $4, $5, $6, $7, $8) AS list
        LEFT JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE orders.id = ANY (list.ids)) AS page ON true
        ORDER BY page."submittedAt" DESC, page.id DESC`,
    },
    // Raw: an order's reference is found by its generated key only, by one statement for all products.
    listByReference: {
      name: 'orders_list_by_reference',
      text: `SELECT ${columns} FROM ${from}
        WHERE reference_key = ANY ($1) AND ${visible} AND ($2::text IS NULL OR status = $2)
          AND ($3::timestamptz IS NULL OR submitted_at >= $3) AND ($4::timestamptz IS NULL OR submitted_at < $4)
        ORDER BY submitted_at DESC, orders.id DESC`,
    },
  };
}

/** Reads orders; writing them is the saga repository's. References looked up at the same time share a statement. */
export class OrderRepository {
  private readonly statements: ReturnType<typeof statementsOf>;
  private readonly lookUps: Batcher<string, Order | undefined>;

  constructor(
    private readonly pool: Pool,
    private readonly products: readonly StoredProduct[],
  ) {
    const { findByReference } = (this.statements = statementsOf(products));
    this.lookUps = new Batcher({
      concurrency: 2,
      maxBatch: 64,
      keyOf: (key) => key,
      run: async (keys) => {
        const rows = await query<OrderRow & { referenceKey: string }>(pool, findByReference, [keys]);
        const orders = new Map(rows.map(({ referenceKey, ...row }) => [referenceKey, toOrder(row)]));
        return keys.map((key) => orders.get(key));
      },
    });
  }

  /** The order that uses a reference, whatever its state. */
  findByReference(
    scope: PartnerScope,
    product: string,
    reference: string,
    patience?: Patience,
  ): Promise<Order | undefined> {
    return this.lookUps.submit(referenceKey(scope, product, reference), patience);
  }

  /** Any partner's order by its id, visible or not; a text that is no id finds nothing. */
  async findById(id: string, statement = this.statements.findById): Promise<Order | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await query<OrderRow>(this.pool, statement, [id]);
    return row && toOrder(row);
  }

  /** The scope's own order of a product by its id, once it is visible. */
  async findOwn(scope: PartnerScope, product: string, id: string): Promise<Order | undefined> {
    const order = await this.findById(id, this.statements.findVisible);
    return order && isOwn(order, scope) && order.product === product ? order : undefined;
  }

  /** An order by its public name: the scope's own once it is visible, or without a scope any partner's. */
  async findByGlobalId(globalId: string, scope?: PartnerScope): Promise<Order | undefined> {
    const id = orderIdOf(globalId);
    const { findById, findVisible } = this.statements;
    const order = id === undefined ? undefined : await this.findById(id, scope ? findVisible : findById);
    return order?.globalId === globalId && (!scope || isOwn(order, scope)) ? order : undefined;
  }

  /** A page of a list and its exact total, both as of one moment; the cost of neither grows with the history. */
  async list(filter: OrderFilter, page: PageRequest | undefined, isOldestFirst = false): Promise<OrderPage> {
    const { partnerId, environment, product, status, fromAt, toAt } = filter;
    const products = product ? [product] : partnerId && this.products.map(({ name }) => name);
    const values = [partnerId, environment, products, status, fromAt, toAt];
    const bounds = pageBounds(page);
    const rows = isOldestFirst
      ? await this.listFromOldest(values, bounds)
      : await query<ListedRow>(this.pool, this.statements.list, [...values, bounds.limit, bounds.offset]);
    const orders = rows.filter(isOrderRow).map(toOrder);
    return { orders, page: toPageInfo(page, Number(rows[0]?.total ?? 0)) };
  }

  // The list as it is, counted from its other end: its total says where the page lies.
  private listFromOldest(values: readonly unknown[], { limit, offset }: PageBounds): Promise<ListedRow[]> {
    return withTransaction(
      this.pool,
      async (tx) => {
        const { list } = this.statements;
        const none = await query<ListedRow>(tx, list, [...values, 1, BEYOND_ALL]);
        const end = Number(none[0]?.total ?? 0) - offset;
        if (end <= 0) return none;
        const page = [Math.min(limit, end), Math.max(0, end - limit)];
        return (await query<ListedRow>(tx, list, [...values, ...page])).reverse();
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  /** The scope's orders of one reference, at most one of each product, narrowed by the filter. */
  async listByReference(
    scope: Pick<PartnerScope, 'partnerId' | 'environment'>,
    reference: string,
    { product, status, fromAt, toAt }: Omit<OrderFilter, 'partnerId' | 'environment'>,
    page: PageRequest | undefined,
  ): Promise<OrderPage> {
    const names = product ? [product] : this.products.map(({ name }) => name);
    const keys = names.map((name) => referenceKey(scope, name, reference));
    const rows = await query<OrderRow>(this.pool, this.statements.listByReference, [
      keys,
      status,
      fromAt,
      toAt,
    ]);
    const { limit, offset } = pageBounds(page);
    return {
      orders: rows.slice(offset, offset + limit).map(toOrder),
      page: toPageInfo(page, rows.length),
    };
  }
}

// The total comes on each row, and on one without an order when the page is empty.
type ListedRow = { total: string } & (OrderRow | { id: null });

function isOrderRow(row: ListedRow): row is ListedRow & OrderRow {
  return row.id !== null;
}

// As the column of that name is made of its parts.
function referenceKey(
  { partnerId, environment }: Pick<PartnerScope, 'partnerId' | 'environment'>,
  product: string,
  reference: string,
): string {
  return `${reference} ${product} ${environment} ${partnerId.toLowerCase()}`;
}

function isOwn(order: Order, scope: PartnerScope): boolean {
  return order.partnerId === scope.partnerId && order.environment === scope.environment;
}
