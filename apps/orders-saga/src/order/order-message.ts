import {
  OrderStatus as StatusMessage,
  ProductType,
  type Order as OrderMessage,
  type OrderSummary,
  type TopupOrder,
} from '@reseller/contracts';
import { ORDER_STATUSES, type Order, type OrderStatus, type Product } from './domain/order';
import { toEnvironment } from './order-scope';

const STATUS: Record<OrderStatus, StatusMessage> = {
  Pending: StatusMessage.PENDING,
  Processing: StatusMessage.PROCESSING,
  Completed: StatusMessage.COMPLETED,
  Failed: StatusMessage.FAILED,
  InterventionRequired: StatusMessage.INTERVENTION_REQUIRED,
  Cancelled: StatusMessage.CANCELLED,
  Reversed: StatusMessage.REVERSED,
  PartiallyDelivered: StatusMessage.PARTIALLY_DELIVERED,
  PartiallyReturned: StatusMessage.PARTIALLY_RETURNED,
  Returned: StatusMessage.RETURNED,
};

const PRODUCT: Record<Product, ProductType> = {
  Topup: ProductType.TOPUP,
  Esim: ProductType.ESIM,
  Scent: ProductType.SCENT,
};

/** The status's name on the wire. */
export function toStatus(status: OrderStatus): StatusMessage {
  return STATUS[status];
}

/** The status's name in this service; undefined when unspecified. */
export function fromStatus(status: StatusMessage): OrderStatus | undefined {
  return ORDER_STATUSES.find((known) => STATUS[known] === status);
}

/** The product's name on the wire. */
export function toProductType(product: Product): ProductType {
  return PRODUCT[product];
}

/** The product's name in this service; undefined when unspecified. */
export function fromProductType(productType: ProductType): Product | undefined {
  return (Object.keys(PRODUCT) as Product[]).find((known) => PRODUCT[known] === productType);
}

/** What orders of all products have in common. */
export function toSummary(order: Order): OrderSummary {
  return {
    productType: toProductType(order.product),
    orderId: order.id,
    orderGlobalId: order.globalId,
    externalReference: order.externalReference,
    status: toStatus(order.status),
    amount: order.amount,
    currency: order.currency,
    submittedAt: order.submittedAt,
    completedAt: order.completedAt ?? undefined,
    displayRate: order.displayRate ?? undefined,
    partnerId: order.partnerId,
    environment: toEnvironment(order.environment),
  };
}

/** The product's own full resource. */
export function toOrderMessage(order: Order): OrderMessage {
  return order.product === 'Topup'
    ? { product: { $case: 'topup', value: toTopupOrder(order) } }
    : { product: undefined };
}

/** A top-up order with every field a partner may see. */
export function toTopupOrder(order: Order): TopupOrder {
  return {
    orderId: order.id,
    orderGlobalId: order.globalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    partnerGlobalId: order.partnerGlobalId,
    geoScopeGlobalId: order.geoScopeGlobalId,
    externalReference: order.externalReference,
    phoneNumber: order.phoneNumber ?? '',
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
    environment: toEnvironment(order.environment),
  };
}
