export {
  CERTIFICATION_STEPS,
  CERTIFIED_PRODUCTS,
  certifiedProductsOf,
  EVIDENCE_TYPES,
  presentCertification,
  presentPartnerCertification,
} from './certification';
export { presentOrderSummary, presentUnifiedOrder } from './order';
export {
  findByName,
  ORDER_STATUSES,
  SIMPLE_ORDER_STATUSES,
  SIMPLE_STATUS_NAMES,
  STATUS_NAMES,
  statusFilter,
} from './order-names';
export { paginationOf, presentPage } from './page';
export * from './products';
export {
  presentReturnRequest,
  RETURN_REASONS,
  RETURN_REQUEST_STATUSES,
  returnReasonOf,
  returnStatusFilter,
} from './return-request';
export {
  presentListedStatement,
  reportText,
  STATEMENT_EMAIL_STATUSES,
  statementPdf,
  statementText,
  type ReadLines,
} from './statement';
export {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentOptionalAmount,
  presentRequiredMoment,
} from './values';
export { presentLimitsInForce, presentLimitSetter, presentSpendingLimits } from './limits';
export {
  AVAILABILITIES,
  availabilityFilter,
  presentAvailability,
  presentTaxClassification,
  TAX_CLASSIFICATIONS,
} from './variant';
export { presentBalance, presentTransaction, transactionTypeFilter } from './wallet';
export { presentWebhook, presentWebhookDelivery } from './webhook';
export {
  WEBHOOK_DELIVERY_STATUS_NAMES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_ERROR_SUMMARY_NAMES,
  WEBHOOK_EVENT_TYPE_NAMES,
  WEBHOOK_LAST_DELIVERY_STATUS_NAMES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
  webhookDeliveryStatus,
  webhookErrorSummary,
  webhookEventType,
  webhookLastDeliveryStatus,
} from './webhook-names';
export type { WebhookDeliveryStatusName, WebhookLastDeliveryStatusName } from './webhook-names';
export type { PresentedEvent, WebhookEventDeclaration } from './webhook-events/define-webhook-event';
export { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from './webhook-events/webhook-events';
export type { WebhookEventTypeName } from './webhook-events/webhook-events';
export {
  presentWebhookDiagnosis,
  WEBHOOK_CHECK_NAMES,
  WEBHOOK_CHECK_RESULTS,
  WEBHOOK_GRADES,
  webhookCheckName,
  webhookCheckResult,
} from './webhook-diagnosis';
export type { WebhookCheckName, WebhookCheckResult, WebhookGrade } from './webhook-diagnosis';
