-- What an event tells of is followed through its headers: the trace and the request that it comes from.

-- Appends one event in the caller's transaction and answers its id. Without headers of its own it has those of the
-- transaction (reseller.headers), which is how triggers pass on what they never see.
-- safe: old callers may have it, it does the same for whoever sets nothing
CREATE OR REPLACE FUNCTION outbox_append(
  p_topic text,
  p_type text,
  p_aggregate_id text,
  p_payload bytea,
  p_headers jsonb DEFAULT '{}',
  p_event_id uuid DEFAULT NULL
) RETURNS uuid LANGUAGE sql AS $$
  WITH next AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES (p_aggregate_id, 1)
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + 1
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers, occurred_at)
  SELECT coalesce(p_event_id, uuidv7()), p_topic, p_type, p_aggregate_id, next.last_seq, p_payload,
         CASE WHEN coalesce(p_headers, '{}') <> '{}' THEN p_headers
              ELSE coalesce(nullif(current_setting('reseller.headers', true), ''), '{}')::jsonb END,
         clock_timestamp()
  FROM next
  RETURNING event_id;
$$;

-- As before, in the trace of what put the variant back in stock.
-- safe: old callers may have it, it does the same for whoever sets nothing
CREATE OR REPLACE FUNCTION scent_back_in_stock(p_variant_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_sku       text;
  v_available integer;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM back_in_stock_registrations WHERE variant_id = p_variant_id AND status = 'Active') THEN
    RETURN;
  END IF;
  SELECT t.sku, t.on_hand - t.reserved INTO v_sku, v_available FROM variant_stock t WHERE t.variant_id = p_variant_id;
  WITH notified AS (
    UPDATE back_in_stock_registrations SET status = 'Notified', notified_at = clock_timestamp()
    WHERE variant_id = p_variant_id AND status = 'Active' RETURNING *
  ), numbered AS (
    SELECT n.*, row_number() OVER (ORDER BY n.created_at, n.id) AS position, count(*) OVER () AS total FROM notified n
  ), given AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq)
    SELECT p_variant_id::text, count(*) FROM notified
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + excluded.last_seq
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers)
  SELECT uuidv7(), 'reseller.scent.registration.v1', 'reseller.scent.v1.VariantBackInStock', p_variant_id::text,
         given.last_seq - r.total + r.position,
         proto_text(1, r.id::text) || proto_text(2, p_variant_id::text) || proto_text(3, v_sku)
           || proto_text(4, r.partner_id::text)
           || proto_number(5, CASE r.environment WHEN 'sandbox' THEN 1 ELSE 2 END)
           || proto_text(6, r.customer_ref)
           || proto_number(7, v_available),
         coalesce(nullif(current_setting('reseller.headers', true), ''), '{}')::jsonb
  FROM numbered r, given;
END $$;
