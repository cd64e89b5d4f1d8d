import type { TopupOrder } from '@reseller/contracts';
import type { Order } from '../../order/domain/order';
import { toVendorOrderMessage } from '../vendor-order/vendor-order.mapper';

/** The number that a top-up order is for; E.164. */
export function phoneNumberOf({ details }: Order): string {
  return details['phoneNumber'] as string;
}

/** A top-up order with every field a partner may see. */
export function toTopupOrder(order: Order): TopupOrder {
  return { ...toVendorOrderMessage(order), phoneNumber: phoneNumberOf(order) };
}
