import { uuidv7 } from '../prelude';
import type { Message } from '../prelude';

/** Where orders-saga publishes events of orders. */
export const ORDER_TOPIC = 'reseller.orders.order.v1';

/** An order as its events hold it. */
export function orderSnapshot({ ref }: { ref: Message }, more: Message = {}) {
  const id = uuidv7();
  return {
    ...ref,
    order_id: id,
    order_global_id: `TU-${id}`,
    product_type: 'PRODUCT_TYPE_TOPUP',
    external_reference: 'INV-1',
    amount: '25.50',
    currency: 'SAR',
    status: 'ORDER_STATUS_COMPLETED',
    ...more,
  };
}
