import {
  FulfillmentGroupStatus,
  ProductType,
  type DisplayRate,
  type FulfillmentGroup,
  type ScentOrder,
  type ScentOrderLine,
  type ShippingAddress,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { STATUS_NAMES } from '../order-names';
import {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentMoment,
  presentOptionalAmount,
  presentRequiredMoment,
} from '../values';
import type { Product } from './product';

/** The statuses of a fulfillment group (spec §7.3). */
export const GROUP_STATUSES = ['Pending', 'Shipped', 'Delivered', 'Cancelled'] as const;

/** The statuses of a fulfillment group under their public names. */
export const GROUP_STATUS_NAMES: Partial<Record<FulfillmentGroupStatus, (typeof GROUP_STATUSES)[number]>> = {
  [FulfillmentGroupStatus.PENDING]: 'Pending',
  [FulfillmentGroupStatus.SHIPPED]: 'Shipped',
  [FulfillmentGroupStatus.DELIVERED]: 'Delivered',
  [FulfillmentGroupStatus.CANCELLED]: 'Cancelled',
};

/** A scent order as partners read it; costs and wholesale figures have no field here. */
export function presentScentOrder(message: ScentOrder | undefined) {
  const order = present(message, 'order');
  return {
    id: order.orderId,
    orderGlobalId: order.orderGlobalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    externalReference: order.externalReference,
    customerRef: order.customerRef ?? null,
    totalAmount: toJsonNumber(order.totalAmount),
    totalCommission: toJsonNumber(order.totalCommission),
    currency: order.currency,
    status: presentEnum(STATUS_NAMES, order.status),
    lines: order.lines.map((line) => presentLine(line, order.displayRate)),
    fulfillmentGroups: order.fulfillmentGroups.map(presentGroup),
    deliveryRollup: presentRollup(order.fulfillmentGroups),
    totalGoodsVatAmount: toJsonNumber(order.totalGoodsVatAmount),
    totalCommissionVatAmount: toJsonNumber(order.totalCommissionVatAmount),
    totalAmountWithVat: toJsonNumber(order.totalAmountWithVat),
    totalCommissionWithVat: toJsonNumber(order.totalCommissionWithVat),
    taxPoint: presentMoment(order.taxPoint),
    platformTaxRegistrationNumber: order.platformTaxRegistrationNumber ?? null,
    partnerTaxRegistrationNumber: order.partnerTaxRegistrationNumber ?? null,
    partnerIsVatRegistered: order.partnerIsVatRegistered,
    ...presentDisplay(order.displayRate),
    totalAmountDisplay: presentDisplayAmount(order.totalAmount, order.displayRate),
    shippingAddress: presentAddress(present(order.shippingAddress, 'shipping_address')),
    discountCode: order.discountCode ?? null,
    discountAmount: presentOptionalAmount(order.discountAmount),
    submittedAt: presentRequiredMoment(order.submittedAt, 'submitted_at'),
    completedAt: presentMoment(order.completedAt),
  };
}

function presentLine(line: ScentOrderLine, rate: DisplayRate | undefined) {
  const { partnerCommission } = line;
  return {
    id: line.lineId,
    variantId: line.variantId,
    quantity: line.quantity,
    returnedQuantity: line.returnedQuantity,
    unitAmount: toJsonNumber(line.unitAmount),
    lineTotal: toJsonNumber(line.lineTotal),
    partnerCommission: presentOptionalAmount(partnerCommission),
    pricingMode: line.pricingMode,
    source: line.source ?? null,
    taxClassification: line.taxClassification,
    vatRateApplied: toJsonNumber(line.vatRateApplied),
    lineGoodsVatAmount: toJsonNumber(line.lineGoodsVatAmount),
    lineCommissionVatAmount: presentOptionalAmount(line.lineCommissionVatAmount),
    unitAmountDisplay: presentDisplayAmount(line.unitAmount, rate),
    lineTotalDisplay: presentDisplayAmount(line.lineTotal, rate),
    partnerCommissionDisplay:
      partnerCommission === undefined ? null : presentDisplayAmount(partnerCommission, rate),
    fulfillmentGroupId: line.fulfillmentGroupId,
  };
}

function presentGroup({ fulfillmentGroupId, status, deliveredAt }: FulfillmentGroup) {
  return {
    id: fulfillmentGroupId,
    status: presentEnum(GROUP_STATUS_NAMES, status),
    deliveredAt: presentMoment(deliveredAt),
  };
}

// All groups count, cancelled ones too (spec §7.3).
function presentRollup(groups: readonly FulfillmentGroup[]) {
  const delivered = groups.filter(({ status }) => status === FulfillmentGroupStatus.DELIVERED);
  return { totalGroups: groups.length, deliveredGroups: delivered.length };
}

function presentAddress(address: ShippingAddress) {
  return {
    recipient: address.recipient,
    line1: address.line1,
    line2: address.line2 ?? null,
    city: address.city,
    region: address.region ?? null,
    postalCode: address.postalCode ?? null,
    country: address.country,
    phone: address.phone,
  };
}

/** The product Scent. */
export const scent = {
  name: 'Scent',
  type: ProductType.SCENT,
  isSoldByGeoScope: false,
  presentOrder: presentScentOrder,
} as const satisfies Product<'scent'>;
