-- Bench row: checkout; an order gets all its lines in the statement of its move.
-- Writes what a checkout made of the cart, once, with the ids that its caller chose.
CREATE OR REPLACE FUNCTION record_checkout(p_order uuid, p_checkout jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO scent_orders (order_id, cart_id, total_amount, total_goods_vat, total_commission, total_commission_vat,
    discount_code, discount_amount, partner_is_vat_registered, partner_tax_registration_number, platform_tax_registration_number)
  SELECT p_order, c."cartId", c."totalAmount", c."totalGoodsVat", c."totalCommission", c."totalCommissionVat",
    c."discountCode", c."discountAmount", c."partnerIsVatRegistered", c."partnerTaxRegistrationNumber", c."platformTaxRegistrationNumber"
  FROM jsonb_to_record(p_checkout) AS c ("cartId" uuid, "totalAmount" numeric, "totalGoodsVat" numeric, "totalCommission" numeric,
    "totalCommissionVat" numeric, "discountCode" text, "discountAmount" numeric, "partnerIsVatRegistered" boolean,
    "partnerTaxRegistrationNumber" text, "platformTaxRegistrationNumber" text);

  INSERT INTO fulfillment_groups (id, order_id, source)
  SELECT g.id, p_order, g.source FROM jsonb_to_recordset(p_checkout -> 'groups') AS g (id uuid, source text);

  INSERT INTO scent_order_lines (id, order_id, position, group_id, variant_id, sku, quantity, unit_amount, line_total,
    goods_vat, commission, commission_vat, pricing_mode, source, tax_classification, vat_rate)
  SELECT l.id, p_order, l.position, l."groupId", l."variantId", l.sku, l.quantity, l."unitAmount", l."lineTotal",
    l."goodsVat", l.commission, l."commissionVat", l."pricingMode", l.source, l."taxClassification", l."vatRate"
  FROM jsonb_to_recordset(p_checkout -> 'lines') AS l (id uuid, position integer, "groupId" uuid, "variantId" uuid, sku text,
    quantity integer, "unitAmount" numeric, "lineTotal" numeric, "goodsVat" numeric, commission numeric, "commissionVat" numeric,
    "pricingMode" text, source text, "taxClassification" text, "vatRate" numeric);
$$;
