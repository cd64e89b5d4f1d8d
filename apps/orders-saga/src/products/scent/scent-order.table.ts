import type { DetailsTable } from '../../order/details-table';

const CHECKOUT = `"cartId" uuid, "totalAmount" numeric, "totalGoodsVat" numeric, "totalCommission" numeric,
  "totalCommissionVat" numeric, "discountCode" text, "discountAmount" numeric, "partnerIsVatRegistered" boolean,
  "partnerTaxRegistrationNumber" text, "platformTaxRegistrationNumber" text`;

const LINE = `id uuid, position integer, "groupId" uuid, "variantId" uuid, sku text, quantity integer, "unitAmount" numeric,
  "lineTotal" numeric, "goodsVat" numeric, commission numeric, "commissionVat" numeric, "pricingMode" text, source text,
  "taxClassification" text, "vatRate" numeric`;

/** A scent order begins without a price; until its checkout has one, it is nobody's to read (spec §7.3). */
export const UNPRICED = `orders.product = 'Scent' AND orders.status = 'Pending'
  AND (SELECT order_id FROM scent_orders WHERE order_id = orders.id) IS NULL`;

/** Where what a checkout made of a cart stands, written once with the ids that its caller chose; read by ScentOrderRepository. */
export const SCENT_ORDERS: DetailsTable = {
  name: 'scent_orders',
  hidden: UNPRICED,
  isFor: {
    phoneNumber: `regexp_replace((orders.request ->> 'shippingAddress')::jsonb ->> 'phone', '[^0-9+]', '', 'g') = $3`,
  },
  learn: (movedOrders) => [
    `INSERT INTO scent_orders (order_id, cart_id, total_amount, total_goods_vat, total_commission, total_commission_vat,
      discount_code, discount_amount, partner_is_vat_registered, partner_tax_registration_number, platform_tax_registration_number)
    SELECT moved.id, c."cartId", c."totalAmount", c."totalGoodsVat", c."totalCommission", c."totalCommissionVat",
      c."discountCode", c."discountAmount", c."partnerIsVatRegistered", c."partnerTaxRegistrationNumber", c."platformTaxRegistrationNumber"
    FROM ${movedOrders} AS moved, jsonb_to_record(moved.details -> 'checkout') AS c (${CHECKOUT})
    WHERE moved.details ? 'checkout'`,
    `INSERT INTO fulfillment_groups (id, order_id, source)
    SELECT g.id, moved.id, g.source
    FROM ${movedOrders} AS moved, jsonb_to_recordset(moved.details #> '{checkout,groups}') AS g (id uuid, source text)`,
    `INSERT INTO scent_order_lines (id, order_id, position, group_id, variant_id, sku, quantity, unit_amount, line_total,
      goods_vat, commission, commission_vat, pricing_mode, source, tax_classification, vat_rate)
    SELECT l.id, moved.id, l.position, l."groupId", l."variantId", l.sku, l.quantity, l."unitAmount", l."lineTotal",
      l."goodsVat", l.commission, l."commissionVat", l."pricingMode", l.source, l."taxClassification", l."vatRate"
    FROM ${movedOrders} AS moved, jsonb_to_recordset(moved.details #> '{checkout,lines}') AS l (${LINE})`,
    `UPDATE scent_orders SET tax_point = (moved.details ->> 'taxPoint')::timestamptz
    FROM ${movedOrders} AS moved WHERE order_id = moved.id AND moved.details ? 'taxPoint'`,
  ],
};
