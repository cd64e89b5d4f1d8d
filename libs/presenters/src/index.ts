export { presentEsimOrder } from './esim-order';
export { presentOrderSummary, presentProductOrder, presentUnifiedOrder } from './order';
export {
  findByName,
  ORDER_STATUSES,
  PRODUCT_NAMES,
  productFilter,
  SIMPLE_ORDER_STATUSES,
  SIMPLE_STATUS_NAMES,
  STATUS_NAMES,
  statusFilter,
} from './order-names';
export { presentPage } from './page';
export { presentQrCode } from './qr-code';
export {
  presentReturnRequest,
  RETURN_REASONS,
  RETURN_REQUEST_STATUSES,
  returnReasonOf,
  returnStatusFilter,
} from './return-request';
export { GROUP_STATUS_NAMES, GROUP_STATUSES, presentScentOrder } from './scent-order';
export {
  presentListedStatement,
  reportText,
  STATEMENT_EMAIL_STATUSES,
  statementText,
  type ReadLines,
} from './statement';
export { presentTopupOrder } from './topup-order';
export {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentOptionalAmount,
  presentRequiredMoment,
} from './values';
export { presentBalance, presentTransaction, transactionTypeFilter } from './wallet';
export { presentWebhook, presentWebhookDelivery } from './webhook';
export {
  WEBHOOK_DELIVERY_STATUS_NAMES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_ERROR_SUMMARY_NAMES,
  WEBHOOK_EVENT_TYPE_NAMES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LAST_DELIVERY_STATUS_NAMES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
  webhookDeliveryStatus,
  webhookErrorSummary,
  webhookEventType,
  webhookLastDeliveryStatus,
} from './webhook-names';
export type {
  WebhookDeliveryStatusName,
  WebhookErrorSummaryName,
  WebhookEventTypeName,
  WebhookLastDeliveryStatusName,
} from './webhook-names';
