import type { StoredProduct } from './details-table';
import type {
  CanonicalRequest,
  DisplayRate,
  Order,
  OrderDetails,
  OrderEnvironment,
  OrderStatus,
} from './domain/order';

/** A row of orders; decimals come as text. */
export interface OrderRow {
  id: string;
  globalId: string;
  sagaId: string;
  partnerId: string;
  partnerGlobalId: string;
  environment: string;
  product: string;
  externalReference: string;
  request: unknown;
  geoScopeGlobalId: string | null;
  customerRef: string | null;
  amount: string;
  currency: string;
  status: string;
  statusDescription: string | null;
  vendorName: string | null;
  vendorOrderId: string | null;
  vendorSubmittedAt: Date | null;
  errorMessage: string | null;
  failureCode: string | null;
  displayCurrency: string | null;
  displayRate: string | null;
  submittedAt: Date;
  completedAt: Date | null;
  currentRetryCount: number;
  nextPollAt: Date | null;
  /** Absent where the statement reads no table of a product's own. */
  details?: OrderDetails | null;
}

/** The columns of `orders` under the names of OrderRow, for statements that bypass the Prisma client. */
export const ORDER_COLUMNS = `orders.id, orders.global_id AS "globalId", orders.saga_id AS "sagaId",
  orders.partner_id AS "partnerId", orders.partner_global_id AS "partnerGlobalId", orders.environment, orders.product,
  orders.external_reference AS "externalReference", orders.request, orders.geo_scope_global_id AS "geoScopeGlobalId",
  orders.amount, orders.currency, orders.status, orders.status_description AS "statusDescription",
  orders.vendor_name AS "vendorName", orders.vendor_order_id AS "vendorOrderId",
  orders.vendor_submitted_at AS "vendorSubmittedAt", orders.error_message AS "errorMessage",
  orders.failure_code AS "failureCode", orders.display_currency AS "displayCurrency",
  orders.display_rate AS "displayRate", orders.submitted_at AS "submittedAt", orders.completed_at AS "completedAt",
  orders.current_retry_count AS "currentRetryCount", orders.next_poll_at AS "nextPollAt",
  orders.customer_ref AS "customerRef"`;

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
  const joins = read.map(
    ({ name, table }) => `LEFT JOIN ${table} ON ${table}.order_id = orders.id AND orders.product = '${name}'`,
  );
  const hidden = products.flatMap(({ table }) => (table.hidden === undefined ? [] : [`(${table.hidden})`]));
  return {
    columns: `${ORDER_COLUMNS}, CASE orders.product ${details} END AS details`,
    from: ['orders', ...joins].join(' '),
    visible: `NOT (${hidden.join(' OR ') || 'false'})`,
  };
}

/** A row as the domain knows it: amounts with two decimals, rates with six. */
export function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    globalId: row.globalId,
    sagaId: row.sagaId,
    partnerId: row.partnerId,
    partnerGlobalId: row.partnerGlobalId,
    environment: row.environment as OrderEnvironment,
    product: row.product,
    externalReference: row.externalReference,
    request: row.request as CanonicalRequest,
    geoScopeGlobalId: row.geoScopeGlobalId,
    customerRef: row.customerRef,
    amount: row.amount,
    currency: row.currency,
    details: row.details ?? {},
    status: row.status as OrderStatus,
    statusDescription: row.statusDescription,
    vendorName: row.vendorName,
    vendorOrderId: row.vendorOrderId,
    vendorSubmittedAt: row.vendorSubmittedAt,
    errorMessage: row.errorMessage,
    failureCode: row.failureCode,
    displayRate: toDisplayRate(row),
    submittedAt: row.submittedAt,
    completedAt: row.completedAt,
    currentRetryCount: row.currentRetryCount,
    nextPollAt: row.nextPollAt,
  };
}

function toDisplayRate({ displayCurrency, displayRate }: OrderRow): DisplayRate | null {
  if (displayCurrency === null || displayRate === null) return null;
  return { currency: displayCurrency, rate: displayRate };
}
