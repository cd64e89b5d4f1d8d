-- Bench row: commit to webhook receipt; a batch of events and all their deliveries are one round trip and one transaction.
-- Stores events and makes a delivery for each active subscription that wants one; an event that is known already is left
-- out with its deliveries, so repeating a batch changes nothing. Returns how many deliveries were made.
-- A function, so that its plan is made once and never reads whole tables: the arrays differ in length from call to call.
CREATE OR REPLACE FUNCTION webhook_add_events(
  p_event_ids uuid[],
  p_partner_ids uuid[],
  p_environments text[],
  p_event_types text[],
  p_occurred_ats timestamptz[],
  p_order_global_ids text[],
  p_bodies bytea[],
  p_headers jsonb[]
) RETURNS integer LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_made integer;
BEGIN
  WITH added AS (
    INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, headers)
    SELECT * FROM unnest(p_event_ids, p_partner_ids, p_environments, p_event_types, p_occurred_ats,
                         p_order_global_ids, p_bodies, p_headers)
    ON CONFLICT (event_id) DO NOTHING
    RETURNING event_id, partner_id, environment, event_type
  )
  INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type)
  SELECT a.event_id, s.id, a.event_type
  FROM added a
  JOIN webhook_subscriptions s
    ON s.partner_id = a.partner_id AND s.environment = a.environment AND s.is_active
   AND a.event_type = ANY (s.event_types);
  GET DIAGNOSTICS v_made = ROW_COUNT;
  RETURN v_made;
END;
$$;
