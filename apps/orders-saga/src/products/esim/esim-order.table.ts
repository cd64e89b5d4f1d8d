import { ERASED_EMAIL } from '../../erasure/domain/erased-request';
import type { DetailsTable } from '../../order/details-table';

/** Where the plan of an eSIM order stands, and what turns the eSIM on, written with its completion (spec §4.8). */
export const ESIM_ORDERS: DetailsTable = {
  name: 'esim_orders',
  toJson: `jsonb_build_object('productSku', esim_orders.product_sku, 'email', esim_orders.email,
      'dataAllowance', esim_orders.data_allowance::text, 'validityDays', esim_orders.validity_days,
      'activation', CASE WHEN num_nonnulls(esim_orders.iccid, esim_orders.qr_code, esim_orders.activation_code,
        esim_orders.plan_details) > 0 THEN jsonb_build_object('iccid', esim_orders.iccid, 'qrCode', esim_orders.qr_code,
        'activationCode', esim_orders.activation_code, 'planDetails', esim_orders.plan_details) END)`,
  insert: (
    newOrders,
  ) => `INSERT INTO esim_orders (order_id, product_sku, email, data_allowance, validity_days)
    SELECT id, details ->> 'productSku', details ->> 'email', (details ->> 'dataAllowance')::numeric,
      (details ->> 'validityDays')::integer FROM ${newOrders} AS made`,
  learn: (movedOrders) => [
    `UPDATE esim_orders SET iccid = details #>> '{activation,iccid}', qr_code = details #>> '{activation,qrCode}',
      activation_code = details #>> '{activation,activationCode}', plan_details = details #>> '{activation,planDetails}'
    FROM ${movedOrders} AS moved WHERE order_id = id AND details -> 'activation' IS NOT NULL`,
  ],
  isFor: { email: `lower(orders.request ->> 'email') = $3` },
  erase: `UPDATE esim_orders SET email = '${ERASED_EMAIL}', iccid = NULL, qr_code = NULL, activation_code = NULL
    WHERE order_id = $1`,
};
