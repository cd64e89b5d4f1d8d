-- Bench row: POST top-up; fence, journal, lease, move and event of all that goes on at the same time in one statement.
-- Each of p_moves by its place n, with its order as it is then; no row for one whose lease was lost. The saga comes first, and under
-- its lock nobody else changes the order. An intent is recorded once, whoever thinks it is still to be recorded.
CREATE OR REPLACE FUNCTION advance_sagas(p_moves jsonb) RETURNS TABLE (n integer, changed orders) LANGUAGE plpgsql
-- By the key of each, in the order of p_moves, which is the order of locks (docs/adr/0012), whatever the planner knows; planned once.
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH moves AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_moves) AS m (n integer, order_id uuid, epoch bigint, from_status text, to_status text,
      touches boolean, pending jsonb, amount numeric, freezes_rate boolean, display_currency text, display_rate numeric, vendor_name text, vendor_order_id text, error_message text, failure_code text,
      describes boolean, description text, retries integer, submits boolean, entries text, intents text[], next text,
      wake_ms integer, lane text, topic text, event_type text, event text, emits_processing boolean, headers jsonb)
  ), fenced AS (
    UPDATE sagas SET
      pending_change = CASE WHEN NOT m.touches
        THEN nullif(coalesce(sagas.pending_change, '{}') || coalesce(m.pending, '{}'), '{}') END,
      journal = concat_ws(E'\n', journal_lines(m.entries), nullif(sagas.journal, '')),
      state = CASE m.next WHEN 'Park' THEN 'Parked' WHEN 'Finish' THEN 'Finished' ELSE sagas.state END,
      lease_owner = CASE m.next WHEN 'Hold' THEN sagas.lease_owner END,
      lease_until = CASE m.next WHEN 'Hold' THEN sagas.lease_until END,
      wake_at = CASE m.next WHEN 'Hold' THEN sagas.wake_at
        WHEN 'Suspend' THEN clock_timestamp() + m.wake_ms * interval '1 millisecond' END,
      lane = coalesce(m.lane, sagas.lane),
      is_processing_emitted = sagas.is_processing_emitted OR m.emits_processing
    FROM moves AS m JOIN orders AS o ON o.id = m.order_id AND o.status = m.from_status
      -- As it was before: under one lease nobody else changes what is pending.
      JOIN sagas AS s ON s.order_id = m.order_id
    -- A process that was paused past its lease meets another epoch here and changes nothing. The keys are named once more, and the
    -- state not as the index sagas_due has it, so that no index is read from end to end and sagas are locked in the order of keys.
    WHERE sagas.order_id = m.order_id AND sagas.order_id = ANY (ARRAY(SELECT order_id FROM moves))
      AND sagas.lease_epoch = m.epoch AND sagas.state || '' = 'Active'
      AND sagas.journal NOT LIKE ALL (m.intents)
    RETURNING m.*, o AS before, s.pending_change AS earlier
  ), moved AS (
    UPDATE orders SET
      status = m.to_status,
      status_log = CASE WHEN m.to_status = orders.status THEN orders.status_log
        ELSE concat(orders.status_log, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, ' ', m.to_status, E'\n') END,
      amount = coalesce(m.amount, orders.amount),
      display_currency = CASE WHEN m.freezes_rate THEN m.display_currency ELSE orders.display_currency END,
      display_rate = CASE WHEN m.freezes_rate THEN m.display_rate ELSE orders.display_rate END,
      vendor_submitted_at = CASE WHEN m.submits THEN coalesce(orders.vendor_submitted_at, clock_timestamp())
        ELSE orders.vendor_submitted_at END,
      completed_at = CASE WHEN m.to_status IN ('Completed', 'Failed', 'Cancelled')
        THEN coalesce(orders.completed_at, clock_timestamp()) ELSE orders.completed_at END,
      next_poll_at = CASE WHEN m.to_status = 'Processing' AND m.next = 'Suspend'
        THEN clock_timestamp() + m.wake_ms * interval '1 millisecond' END,
      vendor_name = coalesce(m.vendor_name, orders.vendor_name),
      vendor_order_id = coalesce(m.vendor_order_id, m.earlier ->> 'vendorOrderId', orders.vendor_order_id),
      error_message = coalesce(m.error_message, orders.error_message),
      failure_code = coalesce(m.failure_code, orders.failure_code),
      status_description = CASE WHEN m.describes THEN m.description ELSE orders.status_description END,
      current_retry_count = coalesce(m.retries, (m.earlier ->> 'currentRetryCount')::integer, orders.current_retry_count)
    FROM fenced AS m WHERE m.touches AND orders.id = m.order_id
    RETURNING m.n, orders AS changed
  ), events AS MATERIALIZED (
    SELECT f.n, outbox_append(f.topic, f.event_type, f.order_id::text, decode(f.event, 'base64'), f.headers) AS event_id
    FROM fenced AS f WHERE f.event_type IS NOT NULL
  )
  SELECT f.n, coalesce(moved.changed, f.before)
  FROM fenced AS f LEFT JOIN moved ON moved.n = f.n LEFT JOIN events ON events.n = f.n
  WHERE f.event_type IS NULL OR events.event_id IS NOT NULL;
END
$$;
