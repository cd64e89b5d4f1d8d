import type { TopupOrder } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { Order } from '../../order/domain/order';
import { toStatus } from '../../order/order.mapper';

/** What an order of any product has that a vendor delivers. */
export function toVendorOrderMessage(order: Order): Omit<TopupOrder, 'phoneNumber'> {
  return {
    orderId: order.id,
    orderGlobalId: order.globalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    partnerGlobalId: order.partnerGlobalId,
    geoScopeGlobalId: order.geoScopeGlobalId ?? '',
    externalReference: order.externalReference,
    amount: order.amount,
    currency: order.currency,
    status: toStatus(order.status),
    statusDescription: order.statusDescription ?? undefined,
    vendorOrderId: order.vendorOrderId ?? undefined,
    errorMessage: order.errorMessage ?? undefined,
    failureCode: order.failureCode ?? undefined,
    submittedAt: order.submittedAt,
    completedAt: order.completedAt ?? undefined,
    currentRetryCount: order.currentRetryCount,
    nextPollAt: order.nextPollAt ?? undefined,
    displayRate: order.displayRate ?? undefined,
    environment: environmentOf(order.environment),
  };
}
