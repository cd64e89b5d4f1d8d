import type { DetailsTable } from '../../order/details-table';

/** Where the phone number of a top-up stands. */
export const TOPUP_ORDERS: DetailsTable = {
  name: 'topup_orders',
  toJson: `jsonb_build_object('phoneNumber', topup_orders.phone_number)`,
  insert: (newOrders) => `INSERT INTO topup_orders (order_id, phone_number)
    SELECT id, details ->> 'phoneNumber' FROM ${newOrders}`,
};
