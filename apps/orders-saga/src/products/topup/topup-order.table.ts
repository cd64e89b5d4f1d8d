import type { DetailsTable } from '../../order/details-table';

/** The phone number of a top-up stands in its order's request; a row of its own has only one of the version before. */
export const TOPUP_ORDERS: DetailsTable = {
  name: 'topup_order_rows',
  toJson: `jsonb_build_object('phoneNumber', coalesce(orders.request ->> 'phoneNumber', topup_order_rows.phone_number))`,
};
