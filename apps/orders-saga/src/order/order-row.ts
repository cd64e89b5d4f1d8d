import type { Order, OrderEnvironment, OrderStatus, Product, CanonicalRequest } from './domain/order';

/** An order as either database client answers it; decimals come as text or as objects that print exactly. */
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
  geoScopeGlobalId: string;
  amount: ExactDecimal;
  currency: string;
  phoneNumber: string | null;
  status: string;
  statusDescription: string | null;
  vendorName: string | null;
  vendorOrderId: string | null;
  vendorAskedAt: Date | null;
  errorMessage: string | null;
  failureCode: string | null;
  displayCurrency: string | null;
  displayRate: ExactDecimal | null;
  submittedAt: Date;
  completedAt: Date | null;
  currentRetryCount: number;
  nextPollAt: Date | null;
}

type ExactDecimal = string | { toFixed(digits: number): string };

/** The columns of `orders` under the names of OrderRow, for statements that bypass the Prisma client. */
export const ORDER_COLUMNS = `id, global_id AS "globalId", saga_id AS "sagaId", partner_id AS "partnerId",
  partner_global_id AS "partnerGlobalId", environment, product, external_reference AS "externalReference", request,
  geo_scope_global_id AS "geoScopeGlobalId", amount, currency, phone_number AS "phoneNumber", status,
  status_description AS "statusDescription", vendor_name AS "vendorName", vendor_order_id AS "vendorOrderId",
  vendor_asked_at AS "vendorAskedAt", error_message AS "errorMessage", failure_code AS "failureCode",
  display_currency AS "displayCurrency", display_rate AS "displayRate", submitted_at AS "submittedAt",
  completed_at AS "completedAt", current_retry_count AS "currentRetryCount", next_poll_at AS "nextPollAt"`;

/** A row as the domain knows it: amounts with two decimals, rates with six. */
export function toOrder(row: OrderRow): Order {
  const { displayCurrency, displayRate, ...same } = row;
  return {
    ...same,
    environment: row.environment as OrderEnvironment,
    product: row.product as Product,
    request: row.request as CanonicalRequest,
    status: row.status as OrderStatus,
    amount: exact(row.amount, 2),
    displayRate:
      displayCurrency !== null && displayRate !== null
        ? { currency: displayCurrency, rate: exact(displayRate, 6) }
        : null,
  };
}

// The driver answers numeric columns with their declared scale already.
function exact(value: ExactDecimal, digits: number): string {
  return typeof value === 'string' ? value : value.toFixed(digits);
}
