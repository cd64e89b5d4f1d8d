import {
  AVAILABILITIES,
  CERTIFICATION_STEPS,
  EVIDENCE_TYPES,
  GROUP_STATUSES,
  ORDER_STATUSES,
  PRODUCT_NAMES,
  RETURN_REASONS,
  RETURN_REQUEST_STATUSES,
  SIMPLE_ORDER_STATUSES,
  STATEMENT_EMAIL_STATUSES,
  TAX_CLASSIFICATIONS,
  WEBHOOK_CHECK_NAMES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
} from '@reseller/presenters';
import { BACK_IN_STOCK_STATUSES } from '../routes/back-in-stock/registration.resource';
import {
  DISCOUNT_REFUSALS,
  DISCOUNT_TYPES,
  PRODUCT_SCOPES,
} from '../routes/discount-codes/discount-code.schema';
import { TIMELINE_KINDS } from '../routes/orders/timeline.presenter';
import { DIFFERENCE_KINDS } from '../routes/reconciliations/reconciliation.resource';
import { CART_STATUSES } from '../routes/scent-cart/cart.schema';
import { BADGES, GENDERS } from '../routes/scent-catalog/catalog.schema';
import { REFERENCE_TYPES, TRANSACTION_TYPES } from '../routes/wallet/wallet-transaction.resource';
import { sandboxFault } from '../sandbox/sandbox-fault';
import { MAY_GROW } from './may-grow';

/** The names under which generated clients know the sets of words; a set without one would be named after each of its places. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Availability: AVAILABILITIES,
  BackInStockStatus: BACK_IN_STOCK_STATUSES,
  Badge: BADGES,
  CartStatus: CART_STATUSES,
  CertificationEvidenceType: EVIDENCE_TYPES,
  CertificationStepName: CERTIFICATION_STEPS,
  CertificationStepStatus: ['Shown', 'Missing'],
  CertificationStatus: ['InProgress', 'Certified'],
  DiagnosisCheckName: WEBHOOK_CHECK_NAMES,
  DiagnosisCheckResult: ['Pass', 'Warn', 'Fail', 'Skipped'],
  DiagnosisGrade: ['Pass', 'Warn', 'Fail'],
  DifferenceKind: DIFFERENCE_KINDS,
  DiscountRefusal: DISCOUNT_REFUSALS,
  DiscountType: DISCOUNT_TYPES,
  EnvironmentName: ['sandbox', 'live'],
  FulfillmentGroupStatus: GROUP_STATUSES,
  Gender: GENDERS,
  LimitSetBy: ['Operator', 'Ancestor'],
  OrderStatus: ORDER_STATUSES,
  ProductScope: PRODUCT_SCOPES,
  ProductType: Object.values(PRODUCT_NAMES),
  ReturnReasonCode: RETURN_REASONS,
  ReturnRequestStatus: RETURN_REQUEST_STATUSES,
  SandboxFault: sandboxFault.options,
  StatementEmailStatus: STATEMENT_EMAIL_STATUSES,
  TaxClassification: TAX_CLASSIFICATIONS,
  TimelineKind: TIMELINE_KINDS,
  VendorOrderStatus: SIMPLE_ORDER_STATUSES,
  WalletReferenceType: REFERENCE_TYPES,
  WalletTransactionType: TRANSACTION_TYPES,
  WebhookDeliveryStatus: WEBHOOK_DELIVERY_STATUSES,
  WebhookErrorSummary: WEBHOOK_ERROR_SUMMARIES,
  WebhookEventType: WEBHOOK_EVENT_TYPES,
  WebhookLastDeliveryStatus: WEBHOOK_LAST_DELIVERY_STATUSES,
};

/** The sets that may grow: what partners pass over, or see only if they chose it. What their programs branch on stays complete. */
const EXTENSIBLE = new Set([
  'Badge',
  'CertificationEvidenceType',
  'CertificationStepName',
  'DiagnosisCheckName',
  'DifferenceKind',
  'DiscountRefusal',
  'ProductType',
  'ReturnReasonCode',
  'TimelineKind',
  'WalletReferenceType',
  'WebhookErrorSummary',
  'WebhookEventType',
  'WebhookLastDeliveryStatus',
]);

const keyOf = (words: readonly unknown[]): string => words.join('|');
const NAMES = new Map(Object.entries(ENUMS).map(([name, words]) => [keyOf(words), name]));

interface EnumSchema {
  type: 'string';
  enum: string[];
  description?: string;
  [extension: `x-${string}`]: true;
}

/** The schemas of all named enums, as components. */
export const enumSchemas = (): Record<string, EnumSchema> =>
  Object.fromEntries(Object.entries(ENUMS).map(([name, words]) => [name, schemaOf(name, [...words])]));

const schemaOf = (name: string, words: string[]): EnumSchema => ({
  type: 'string',
  enum: words,
  ...(EXTENSIBLE.has(name) && {
    description: 'More may come: pass over one that you do not know.',
    ...MAY_GROW,
  }),
});

/** The same JSON with each set of words as a reference to its name; what else a schema says of it stays beside it. */
export function referToEnums<T>(json: T): T {
  if (Array.isArray(json)) return json.map(referToEnums) as T;
  if (typeof json !== 'object' || json === null) return json;
  const { enum: words, type, ...others } = json as { enum?: unknown; type?: unknown };
  const name = Array.isArray(words) && type === 'string' ? NAMES.get(keyOf(words)) : undefined;
  if (name) return { $ref: `#/components/schemas/${name}`, ...others } as T;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, referToEnums(value)])) as T;
}
