import { ProductType, type TopupOrder } from '@reseller/contracts';
import { present } from '../values';
import type { Product } from './product';
import { presentCharge, presentIdentity, presentProgress } from './vendor-order';

/** A top-up order as partners read it. */
export function presentTopupOrder(message: TopupOrder | undefined) {
  const order = present(message, 'order');
  return {
    ...presentIdentity(order),
    phoneNumber: order.phoneNumber,
    ...presentProgress(order, 'Topup'),
    vendorOrderId: order.vendorOrderId ?? null,
    ...presentCharge(order),
  };
}

/** The product Topup. */
export const topup = {
  name: 'Topup',
  type: ProductType.TOPUP,
  isSoldByGeoScope: true,
  presentOrder: presentTopupOrder,
} as const satisfies Product<'topup'>;
