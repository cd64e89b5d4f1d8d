import { pageBounds, query, StatementBatcher, toPageInfo, type PreparedStatement } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';
import type { Prisma } from '../generated/prisma/client';
import type { Order, OrderEnvironment, OrderStatus, Product } from './domain/order';
import { isUuid, orderIdOf } from './domain/order-id';
import { ORDER_COLUMNS, toOrder, type OrderRow } from './order-row';
import type { OrderScope } from './order-scope';

/** Which orders a list holds; what is undefined does not narrow it. */
export interface OrderFilter {
  readonly partnerId?: string | undefined;
  readonly environment?: OrderEnvironment | undefined;
  readonly product?: Product | undefined;
  readonly status?: OrderStatus | undefined;
  /** Inclusive, on submission. */
  readonly fromAt?: Date | undefined;
  /** Exclusive, on submission. */
  readonly toAt?: Date | undefined;
  readonly externalReference?: string | undefined;
}

const FIND_BY_REFERENCE: PreparedStatement = {
  name: 'orders_find_by_reference',
  text: `SELECT reference_key AS "referenceKey", ${ORDER_COLUMNS} FROM orders WHERE reference_key = ANY($1)`,
};

const FIND_BY_ID: PreparedStatement = {
  name: 'orders_find_by_id',
  text: `SELECT ${ORDER_COLUMNS} FROM orders WHERE id = $1`,
};

/** Reads orders; writing them is the saga repository's. References looked up at the same time share a statement. */
export class OrderRepository {
  private readonly lookUps: StatementBatcher<string, Order | undefined>;

  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {
    this.lookUps = new StatementBatcher({
      concurrency: 2,
      maxBatch: 64,
      shouldTrySingly: () => false,
      run: async (keys) => {
        const rows = await query<OrderRow & { referenceKey: string }>(pool, FIND_BY_REFERENCE, [keys]);
        const orders = new Map(rows.map(({ referenceKey, ...row }) => [referenceKey, toOrder(row)]));
        return keys.map((key) => orders.get(key));
      },
    });
  }

  /** The order that uses a reference, whatever its state. */
  findByReference(scope: OrderScope, product: Product, reference: string): Promise<Order | undefined> {
    // As the column of that name is made of its parts.
    const key = `${reference} ${product} ${scope.environment} ${scope.partnerId.toLowerCase()}`;
    return this.lookUps.submit(key);
  }

  /** Any partner's order by its id; a text that is no id finds nothing. */
  async findById(id: string): Promise<Order | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await query<OrderRow>(this.pool, FIND_BY_ID, [id]);
    return row && toOrder(row);
  }

  /** The scope's own order of a product by its id. */
  async findOwn(scope: OrderScope, product: Product, id: string): Promise<Order | undefined> {
    const order = await this.findById(id);
    return order && isOwn(order, scope) && order.product === product ? order : undefined;
  }

  /** An order by its public name; without a scope, any partner's. */
  async findByGlobalId(globalId: string, scope?: OrderScope): Promise<Order | undefined> {
    const id = orderIdOf(globalId);
    const order = id === undefined ? undefined : await this.findById(id);
    return order?.globalId === globalId && (!scope || isOwn(order, scope)) ? order : undefined;
  }

  /** A page of orders, newest first, with its place in the list. */
  async list(
    filter: OrderFilter,
    page: PageRequest | undefined,
  ): Promise<{ orders: Order[]; page: PageInfo }> {
    const where = toWhere(filter);
    const { limit, offset } = pageBounds(page);
    const totalCount = await this.count(where);
    const rows =
      offset >= totalCount
        ? []
        : await this.prisma.order.findMany({
            where,
            orderBy: [{ submittedAt: 'desc' }, { id: 'desc' }],
            take: limit,
            skip: offset,
          });
    return { orders: rows.map(toOrder), page: toPageInfo(page, totalCount) };
  }

  // The one place that counts, on an index of the same filter; to be replaced by kept totals when lists grow.
  private count(where: Prisma.OrderWhereInput): Promise<number> {
    return this.prisma.order.count({ where });
  }
}

function isOwn(order: Order, scope: OrderScope): boolean {
  return order.partnerId === scope.partnerId && order.environment === scope.environment;
}

function toWhere(filter: OrderFilter): Prisma.OrderWhereInput {
  const { fromAt, toAt, ...equal } = filter;
  const given = Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined));
  const submittedAt = { ...(fromAt && { gte: fromAt }), ...(toAt && { lt: toAt }) };
  return { ...given, ...(fromAt || toAt ? { submittedAt } : {}) };
}
