import { FulfillmentGroupStatus, type ScentOrder } from '@reseller/contracts';
import { decimal, toFixedString } from '@reseller/money';
import type { Order } from '../../order/domain/order';
import { toStatus } from '../../order/order.mapper';
import { environmentOf } from '@reseller/rpc';
import type { GroupStatus, ScentDetails, ScentLine } from './domain/scent-order';
import { addressOf } from './domain/scent-request';

const GROUP_STATUS: Record<GroupStatus, FulfillmentGroupStatus> = {
  Pending: FulfillmentGroupStatus.PENDING,
  Shipped: FulfillmentGroupStatus.SHIPPED,
  Delivered: FulfillmentGroupStatus.DELIVERED,
  Cancelled: FulfillmentGroupStatus.CANCELLED,
};

/** The group status's name on the wire. */
export function toGroupStatus(status: GroupStatus): FulfillmentGroupStatus {
  return GROUP_STATUS[status];
}

/** The status's name in this service; undefined when unspecified. */
export function fromGroupStatus(status: FulfillmentGroupStatus): GroupStatus | undefined {
  return (Object.keys(GROUP_STATUS) as GroupStatus[]).find((name) => GROUP_STATUS[name] === status);
}

/** A scent order with every field a partner may see; without lines and with zeros until its cart is priced. */
export function toScentOrder(order: Order, scent?: ScentDetails): ScentOrder {
  const { request } = order;
  const address = addressOf(request);
  return {
    orderId: order.id,
    orderGlobalId: order.globalId,
    sagaId: order.sagaId,
    partnerId: order.partnerId,
    partnerGlobalId: order.partnerGlobalId,
    environment: environmentOf(order.environment),
    externalReference: order.externalReference,
    customerRef: order.customerRef ?? undefined,
    totalAmount: scent?.totalAmount ?? '0.00',
    totalCommission: scent?.totalCommission ?? '0.00',
    currency: order.currency,
    status: toStatus(order.status),
    lines: scent?.lines.map(toLine) ?? [],
    fulfillmentGroups:
      scent?.groups.map(({ id, status, deliveredAt }) => ({
        fulfillmentGroupId: id,
        status: toGroupStatus(status),
        deliveredAt: deliveredAt ?? undefined,
      })) ?? [],
    totalGoodsVatAmount: scent?.totalGoodsVat ?? '0.00',
    totalCommissionVatAmount: scent?.totalCommissionVat ?? '0.00',
    totalAmountWithVat: order.amount,
    totalCommissionWithVat: scent ? sum(scent.totalCommission, scent.totalCommissionVat) : '0.00',
    taxPoint: scent?.taxPoint ?? undefined,
    platformTaxRegistrationNumber: scent?.platformTaxRegistrationNumber ?? undefined,
    partnerTaxRegistrationNumber: scent?.partnerTaxRegistrationNumber ?? undefined,
    partnerIsVatRegistered: scent?.partnerIsVatRegistered ?? false,
    displayRate: order.displayRate ?? undefined,
    shippingAddress: {
      ...address,
      line2: address.line2 ?? undefined,
      region: address.region ?? undefined,
      postalCode: address.postalCode ?? undefined,
    },
    discountCode: scent?.discountCode ?? undefined,
    discountAmount: scent?.discountAmount ?? undefined,
    submittedAt: order.submittedAt,
    completedAt: order.completedAt ?? undefined,
    geoScopeId: request['geoScopeId'] ?? undefined,
  };
}

function toLine(line: ScentLine): ScentOrder['lines'][number] {
  return {
    lineId: line.id,
    variantId: line.variantId,
    quantity: line.quantity,
    returnedQuantity: line.returnedQuantity,
    unitAmount: line.unitAmount,
    lineTotal: line.lineTotal,
    partnerCommission: line.commission,
    pricingMode: line.pricingMode,
    source: line.source,
    taxClassification: line.taxClassification,
    vatRateApplied: line.vatRate,
    lineGoodsVatAmount: line.goodsVat,
    lineCommissionVatAmount: line.commissionVat,
    fulfillmentGroupId: line.groupId,
  };
}

const sum = (a: string, b: string): string => toFixedString(decimal(a).plus(b), 2);
