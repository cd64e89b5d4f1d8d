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
