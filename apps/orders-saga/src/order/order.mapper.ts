import {
  OrderStatus as StatusMessage,
  ProductType,
  type EsimOrder,
  type Order as OrderMessage,
  type OrderSummary,
  type TopupOrder,
} from '@reseller/contracts';
import { ORDER_STATUSES, type Order, type OrderStatus, type Product } from './domain/order';
import type { ScentDetails } from '../products/scent/domain/scent-order';
import { toScentOrder } from '../products/scent/scent-order.mapper';
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
    customerRef: order.customerRef ?? undefined,
    displayRate: order.displayRate ?? undefined,
    partnerId: order.partnerId,
    environment: toEnvironment(order.environment),
  };
}

/** The product's own full resource; of a scent order with what its checkout recorded, absent before. */
export function toOrderMessage(order: Order, scent?: ScentDetails): OrderMessage {
  switch (order.product) {
    case 'Topup':
      return { product: { $case: 'topup', value: toTopupOrder(order) } };
    case 'Esim':
      return { product: { $case: 'esim', value: toEsimOrder(order) } };
    case 'Scent':
      return { product: { $case: 'scent', value: toScentOrder(order, scent) } };
  }
}

/** A top-up order with every field a partner may see. */
export function toTopupOrder(order: Order): TopupOrder {
  return { ...toVendorOrder(order), phoneNumber: order.phoneNumber ?? '' };
}

/** An eSIM order with every field a partner may see; INTERNAL_ERROR for an order of another product. */
export function toEsimOrder(order: Order): EsimOrder {
  const { esim } = order;
  if (!esim) throw new Error(`order ${order.globalId} has no eSIM plan`);
  const { activation } = esim;
  return {
    ...toVendorOrder(order),
    productSku: esim.productSku,
    email: esim.email,
    dataAllowance: esim.dataAllowance,
    validityDays: esim.validityDays,
    esimIccid: activation?.iccid ?? undefined,
    esimQrCode: activation?.qrCode ?? undefined,
    esimActivationCode: activation?.activationCode ?? undefined,
    esimPlanDetails: activation?.planDetails ?? undefined,
  };
}

// What an order of either product has that a vendor delivers.
function toVendorOrder(order: Order): Omit<TopupOrder, 'phoneNumber'> {
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
    environment: toEnvironment(order.environment),
  };
}
