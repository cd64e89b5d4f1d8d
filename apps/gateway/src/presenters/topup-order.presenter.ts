import { OrderStatus, type TopupOrder } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import type { z } from 'zod';
import type { topupOrder } from '../schemas/orders';
import { SIMPLE_STATUS_NAMES } from './order-status.presenter';
import {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentRequiredMoment,
} from './values';

/** decisions §4.5 */
const STATUS_CODES: Partial<Record<OrderStatus, string>> = {
  [OrderStatus.PENDING]: 'TOPUP_PENDING',
  [OrderStatus.PROCESSING]: 'TOPUP_PROCESSING',
  [OrderStatus.COMPLETED]: 'TOPUP_SUCCESS',
  [OrderStatus.FAILED]: 'TOPUP_FAILED',
  [OrderStatus.INTERVENTION_REQUIRED]: 'TOPUP_INTERVENTION',
  [OrderStatus.CANCELLED]: 'TOPUP_CANCELLED',
  [OrderStatus.REVERSED]: 'TOPUP_REVERSED',
};

/** A top-up order as partners read it. */
export function presentTopupOrder(message: TopupOrder | undefined): z.input<typeof topupOrder> {
  const order = present(message, 'order');
  return {
    orderId: order.orderId,
    orderGlobalId: order.orderGlobalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    partnerGlobalId: order.partnerGlobalId,
    geoScopeGlobalId: order.geoScopeGlobalId,
    externalReference: order.externalReference,
    phoneNumber: order.phoneNumber,
    amount: toJsonNumber(order.amount),
    currency: order.currency,
    status: presentEnum(SIMPLE_STATUS_NAMES, order.status),
    statusDetail: {
      productType: 'Topup',
      statusCode: presentEnum(STATUS_CODES, order.status),
      description: order.statusDescription ?? null,
    },
    vendorOrderId: order.vendorOrderId ?? null,
    errorMessage: order.errorMessage ?? null,
    failureCode: order.failureCode ?? null,
    submittedAt: presentRequiredMoment(order.submittedAt, 'submitted_at'),
    completedAt: presentMoment(order.completedAt),
    currentRetryCount: order.currentRetryCount,
    nextPollAt: presentMoment(order.nextPollAt),
    ...presentDisplay(order.displayRate),
    amountDisplay: presentDisplayAmount(order.amount, order.displayRate),
  };
}
