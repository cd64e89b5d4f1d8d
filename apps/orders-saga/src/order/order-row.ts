import type { StoredProduct } from './details-table';
import type { DisplayRate, Order, OrderDetails } from './domain/order';

/** The columns of `orders` that an order has as they are, under its own names. */
const COLUMNS = {
  id: 'id',
  globalId: 'global_id',
  sagaId: 'saga_id',
  partnerId: 'partner_id',
  partnerGlobalId: 'partner_global_id',
  environment: 'environment',
  product: 'product',
  externalReference: 'external_reference',
  request: 'request',
  geoScopeGlobalId: 'geo_scope_global_id',
  amount: 'amount',
  currency: 'currency',
  customerRef: 'customer_ref',
  status: 'status',
  statusDescription: 'status_description',
  vendorName: 'vendor_name',
  vendorOrderId: 'vendor_order_id',
  vendorSubmittedAt: 'vendor_submitted_at',
  errorMessage: 'error_message',
  failureCode: 'failure_code',
  submittedAt: 'submitted_at',
  completedAt: 'completed_at',
  currentRetryCount: 'current_retry_count',
  nextPollAt: 'next_poll_at',
} as const satisfies Record<keyof OwnColumns, string>;

type OwnColumns = Omit<Order, 'details' | 'displayRate'>;

/** A row of orders; decimals come as text. */
export interface OrderRow extends OwnColumns {
  displayCurrency: string | null;
  displayRate: string | null;
  /** Absent where the statement reads no table of a product's own. */
  details?: OrderDetails | null;
}

const NAMES = Object.keys(COLUMNS) as (keyof OwnColumns)[];

/** The columns of `orders` under the names of OrderRow, for statements that bypass the Prisma client. */
export const ORDER_COLUMNS = Object.entries({
  ...COLUMNS,
  displayCurrency: 'display_currency',
  displayRate: 'display_rate',
})
  .map(([name, column]) => `orders.${column} AS "${name}"`)
  .join(', ');

/** What to select of orders with their details, and from where: each product's own table is joined by its key; `visible` is what readers see. */
export function orderSource(products: readonly StoredProduct[]): {
  columns: string;
  from: string;
  visible: string;
} {
  const read = products.flatMap(({ name, table }) =>
    table.toJson === undefined ? [] : [{ name, table: table.name, toJson: table.toJson }],
  );
  const details = read.map(({ name, toJson }) => `WHEN '${name}' THEN ${toJson}`).join(' ');
  const joins = read.flatMap(({ name, table }) =>
    table === undefined
      ? []
      : [`LEFT JOIN ${table} ON ${table}.order_id = orders.id AND orders.product = '${name}'`],
  );
  const hidden = products.flatMap(({ table }) => (table.hidden === undefined ? [] : [`(${table.hidden})`]));
  return {
    columns: `${ORDER_COLUMNS}, CASE orders.product ${details} END AS details`,
    from: ['orders', ...joins].join(' '),
    visible: `NOT (${hidden.join(' OR ') || 'false'})`,
  };
}

/** A row as the domain knows it, without what else its statement reads: amounts with two decimals, rates with six. */
export function toOrder(row: OrderRow): Order {
  // fromEntries does not say in its type which names it was given.
  const own = Object.fromEntries(NAMES.map((name) => [name, row[name]])) as unknown as OwnColumns;
  return { ...own, details: row.details ?? {}, displayRate: toDisplayRate(row) };
}

function toDisplayRate({ displayCurrency, displayRate }: OrderRow): DisplayRate | null {
  if (displayCurrency === null || displayRate === null) return null;
  return { currency: displayCurrency, rate: displayRate };
}
