import type {
  CanonicalRequest,
  DisplayRate,
  Order,
  OrderDetails,
  OrderEnvironment,
  OrderStatus,
} from './domain/order';

/** What only an eSIM order has, all null on any other. */
interface EsimColumns {
  productSku: string | null;
  email: string | null;
  dataAllowance: ExactDecimal | null;
  validityDays: number | null;
  esimIccid: string | null;
  esimQrCode: string | null;
  esimActivationCode: string | null;
  esimPlanDetails: string | null;
}

/** An order as either database client answers it; decimals come as text or as objects that print exactly. */
export interface OrderRow extends EsimColumns {
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
  completed_at AS "completedAt", current_retry_count AS "currentRetryCount", next_poll_at AS "nextPollAt",
  customer_ref AS "customerRef", product_sku AS "productSku", email, data_allowance AS "dataAllowance", validity_days AS "validityDays",
  esim_iccid AS "esimIccid", esim_qr_code AS "esimQrCode", esim_activation_code AS "esimActivationCode",
  esim_plan_details AS "esimPlanDetails"`;

/** A row as the domain knows it: amounts with two decimals, allowances with three, rates with six. */
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
    amount: exact(row.amount, 2),
    currency: row.currency,
    details: toDetails(row),
    status: row.status as OrderStatus,
    statusDescription: row.statusDescription,
    vendorName: row.vendorName,
    vendorOrderId: row.vendorOrderId,
    vendorAskedAt: row.vendorAskedAt,
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
  return { currency: displayCurrency, rate: exact(displayRate, 6) };
}

// Of each product its own columns, all null on the orders of any other.
function toDetails(row: OrderRow): OrderDetails {
  const { phoneNumber, productSku, email, dataAllowance, validityDays } = row;
  if (phoneNumber !== null) return { phoneNumber };
  if (productSku === null || dataAllowance === null) return {};
  const activation = {
    iccid: row.esimIccid,
    qrCode: row.esimQrCode,
    activationCode: row.esimActivationCode,
    planDetails: row.esimPlanDetails,
  };
  const isKnown = Object.values(activation).some((value) => value !== null);
  return {
    productSku,
    email,
    dataAllowance: exact(dataAllowance, 3),
    validityDays,
    activation: isKnown ? activation : null,
  };
}

// The driver answers numeric columns with their declared scale already.
function exact(value: ExactDecimal, digits: number): string {
  return typeof value === 'string' ? value : value.toFixed(digits);
}
