-- Version before: it takes events in by this, and so its events are in their feeds too. Returns how many deliveries were made.
CREATE OR REPLACE FUNCTION webhook_add_events(
  p_event_ids uuid[],
  p_partner_ids uuid[],
  p_environments text[],
  p_event_types text[],
  p_occurred_ats timestamptz[],
  p_order_global_ids text[],
  p_bodies bytea[],
  p_headers jsonb[]
) RETURNS integer LANGUAGE sql AS $$
  SELECT coalesce(max(t.deliveries), 0)
  FROM webhook_take_events(p_event_ids, p_partner_ids, p_environments, p_event_types, p_occurred_ats, p_order_global_ids,
                           p_bodies, p_headers) t;
$$;
