import type { GetOrderByGlobalIdResponse, OrderSummary } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { STATUS_NAMES } from './order-names';
import { PRODUCT_NAMES, presentProductOrder } from './products';
import {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentRequiredMoment,
} from './values';

/** An order of any product as the unified list shows it (spec §4.10). */
export function presentOrderSummary(order: OrderSummary) {
  return {
    productType: presentEnum(PRODUCT_NAMES, order.productType),
    orderId: order.orderId,
    orderGlobalId: order.orderGlobalId,
    externalReference: order.externalReference,
    status: presentEnum(STATUS_NAMES, order.status),
    amount: toJsonNumber(order.amount),
    currency: order.currency,
    submittedAt: presentRequiredMoment(order.submittedAt, 'submitted_at'),
    completedAt: presentMoment(order.completedAt),
    customerRef: order.customerRef ?? null,
    ...presentDisplay(order.displayRate),
    amountDisplay: presentDisplayAmount(order.amount, order.displayRate),
  };
}

/** The same with the product's own resource. */
export function presentUnifiedOrder(response: GetOrderByGlobalIdResponse) {
  return {
    ...presentOrderSummary(present(response.summary, 'summary')),
    order: presentProductOrder(response.order),
  };
}
