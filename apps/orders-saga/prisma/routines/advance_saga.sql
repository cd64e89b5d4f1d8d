-- Version before: one move of one saga; today's write is advance_sagas.
CREATE OR REPLACE FUNCTION advance_saga(
  p_order uuid,
  p_epoch bigint,
  p_from text,
  p_to text,
  p_change jsonb,
  p_steps jsonb,
  p_next text,
  p_wake_ms integer,
  p_lane text,
  p_topic text,
  p_event_type text,
  p_event bytea,
  p_emits_processing boolean,
  p_headers jsonb
) RETURNS SETOF orders LANGUAGE sql AS $$
  SELECT (a.changed).* FROM advance_sagas(jsonb_build_array(jsonb_build_object('n', 0, 'order_id', p_order, 'epoch', p_epoch,
    'from_status', p_from, 'to_status', p_to, 'touches', true, 'amount', p_change -> 'amount',
    'vendor_name', p_change -> 'vendorName', 'vendor_order_id', p_change -> 'vendorOrderId',
    'error_message', p_change -> 'errorMessage', 'failure_code', p_change -> 'failureCode',
    'describes', p_change ? 'statusDescription', 'description', p_change -> 'statusDescription',
    'retries', p_change -> 'currentRetryCount', 'submits', p_steps @> '[{"step": "vendor.submit", "phase": "intent"}]',
    'intents', '[]'::jsonb, 'entries', (SELECT string_agg(jsonb_build_array(s.step, s.attempt, s.outcome, s.details)::text, E'\n' ORDER BY s.at DESC)
      FROM ROWS FROM (jsonb_to_recordset(p_steps) AS (step text, attempt integer, outcome text, details jsonb))
        WITH ORDINALITY AS s (step, attempt, outcome, details, at)),
    'next', p_next, 'wake_ms', p_wake_ms, 'lane', p_lane, 'topic', p_topic, 'event_type', p_event_type,
    'event', encode(p_event, 'base64'), 'emits_processing', p_emits_processing, 'headers', p_headers))) AS a
$$;
