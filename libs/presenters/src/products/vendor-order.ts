import { OrderStatus, type EsimOrder, type TopupOrder } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { SIMPLE_STATUS_NAMES } from '../order-names';
import {
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentRequiredMoment,
} from '../values';

/** What orders of every product have that a vendor delivers. */
export type VendorOrder = Pick<TopupOrder, keyof TopupOrder & keyof EsimOrder>;

/** spec §4.5; behind the product's name and an underscore. */
const STATUS_CODES = {
  [OrderStatus.PENDING]: 'PENDING',
  [OrderStatus.PROCESSING]: 'PROCESSING',
  [OrderStatus.COMPLETED]: 'SUCCESS',
  [OrderStatus.FAILED]: 'FAILED',
  [OrderStatus.INTERVENTION_REQUIRED]: 'INTERVENTION',
  [OrderStatus.CANCELLED]: 'CANCELLED',
  [OrderStatus.REVERSED]: 'REVERSED',
} satisfies Partial<Record<OrderStatus, string>>;

/** Whose order it is and under which names. */
export function presentIdentity(order: VendorOrder) {
  return {
    orderId: order.orderId,
    orderGlobalId: order.orderGlobalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    partnerGlobalId: order.partnerGlobalId,
    geoScopeGlobalId: order.geoScopeGlobalId,
    externalReference: order.externalReference,
  };
}

/** Where an order that a vendor delivers stands; `productType` names it in statusDetail. */
export function presentProgress<P extends string>(order: VendorOrder, productType: P) {
  const code = presentEnum<OrderStatus, string>(STATUS_CODES, order.status);
  return {
    status: presentEnum(SIMPLE_STATUS_NAMES, order.status),
    statusDetail: {
      productType,
      statusCode: `${productType.toUpperCase()}_${code}`,
      description: order.statusDescription ?? null,
    },
    errorMessage: order.errorMessage ?? null,
    failureCode: order.failureCode ?? null,
    submittedAt: presentRequiredMoment(order.submittedAt, 'submitted_at'),
    completedAt: presentMoment(order.completedAt),
    currentRetryCount: order.currentRetryCount,
    nextPollAt: presentMoment(order.nextPollAt),
  };
}

/** What an order costs, in its currency and the partner's. */
export function presentCharge({ amount, currency, displayRate }: VendorOrder) {
  return {
    amount: toJsonNumber(amount),
    currency,
    ...presentDisplay(displayRate),
    amountDisplay: presentDisplayAmount(amount, displayRate),
  };
}
