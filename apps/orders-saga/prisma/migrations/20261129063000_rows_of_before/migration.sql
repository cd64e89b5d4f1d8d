-- What a version before the one before wrote beside a saga and beside a top-up moves to where it is read since: an entry of a journal
-- behind those that its saga has, a phone number into its order's request. The version before reads both and writes neither; its two
-- tables stay for it, empty.

-- safe: the view shows it before and after, and the version before writes no entry here
WITH gone AS (
  DELETE FROM saga_step_rows RETURNING *
), lines AS (
  -- As saga/journal-lines.ts writes them, without spaces: by its text an intent is known that is recorded already.
  SELECT order_id, string_agg(concat((extract(epoch FROM recorded_at) * 1000000)::bigint, ' [', to_json(step), ',', attempt, ',',
    coalesce(to_json(outcome)::text, 'null'), ',' || details::text, ']'), E'\n' ORDER BY seq DESC) AS journal
  FROM gone GROUP BY order_id
)
UPDATE sagas SET journal = concat_ws(E'\n', nullif(sagas.journal, ''), lines.journal)
FROM lines WHERE sagas.order_id = lines.order_id;

-- safe: the version before reads the request first
WITH gone AS (
  DELETE FROM topup_order_rows RETURNING *
)
UPDATE orders SET request = orders.request || jsonb_build_object('phoneNumber', gone.phone_number)
FROM gone WHERE orders.id = gone.order_id AND NOT orders.request ? 'phoneNumber';

-- safe: the version before writes to no view
DROP TRIGGER IF EXISTS saga_steps_written ON saga_steps;
-- safe: its trigger is gone, in this very migration
DROP FUNCTION IF EXISTS write_saga_step();

-- safe: the same columns of the rows that are left
CREATE OR REPLACE VIEW saga_steps AS
SELECT (1::bigint << 53) + cardinality(journal.lines) - entry.n AS seq, sagas.order_id, (entry.value ->> 0) COLLATE "C" AS step,
  (entry.value ->> 1)::integer AS attempt, (CASE WHEN entry.value ->> 2 IS NULL THEN 'intent' ELSE 'result' END) COLLATE "C" AS phase,
  entry.value ->> 2 AS outcome, nullif(entry.value -> 3, 'null') AS details,
  'epoch'::timestamptz + entry.at * interval '1 microsecond' AS recorded_at
FROM sagas, LATERAL (SELECT string_to_array(sagas.journal, E'\n') AS lines OFFSET 0) AS journal,
  LATERAL (SELECT line.n, split_part(line.entry, ' ', 1)::bigint AS at,
      substr(line.entry, strpos(line.entry, ' ') + 1)::jsonb AS value
    FROM unnest(journal.lines) WITH ORDINALITY AS line (entry, n) OFFSET 0) AS entry;
