-- The journal of a saga stands in the saga's own row (docs/adr/0010): an entry a line, the newest first, so that a write is one HOT
-- update whose log holds only what is new. Entries from before, and those of the version before, stay in the table that was
-- saga_steps; a view takes its name and shows both, with triggers for what the version before writes (write_saga_step).
ALTER TABLE sagas
  -- What a step learned of its order while the order's row said the same otherwise: written with the row's next change.
  ADD COLUMN pending_change jsonb,
  ADD COLUMN journal text COLLATE "C" NOT NULL DEFAULT '';

-- safe: the view below has this name, all columns and triggers for writing; saga_step_rows is dropped once it is empty
ALTER TABLE saga_steps RENAME TO saga_step_rows;

-- A line is its time in microseconds since the epoch, a space, and [step, attempt, outcome or null for an intent, details]. What
-- is in the rows is older than what is in the saga.
CREATE VIEW saga_steps AS
SELECT seq, order_id, step, attempt, phase, outcome, details, recorded_at FROM saga_step_rows
UNION ALL
SELECT (1::bigint << 53) + cardinality(journal.lines) - entry.n, sagas.order_id, (entry.value ->> 0) COLLATE "C",
  (entry.value ->> 1)::integer, (CASE WHEN entry.value ->> 2 IS NULL THEN 'intent' ELSE 'result' END) COLLATE "C",
  entry.value ->> 2, nullif(entry.value -> 3, 'null'), 'epoch'::timestamptz + entry.at * interval '1 microsecond'
FROM sagas, LATERAL (SELECT string_to_array(sagas.journal, E'\n') AS lines OFFSET 0) AS journal,
  LATERAL (SELECT line.n, split_part(line.entry, ' ', 1)::bigint AS at,
      substr(line.entry, strpos(line.entry, ' ') + 1)::jsonb AS value
    FROM unnest(journal.lines) WITH ORDINALITY AS line (entry, n) OFFSET 0) AS entry;

-- A top-up's phone number stands in its order's request already (spec §4.2), so nothing is written beside it any more.
-- safe: the view below has this name, both columns and triggers for writing; topup_order_rows is dropped by a later version
ALTER TABLE topup_orders RENAME TO topup_order_rows;

CREATE VIEW topup_orders AS
SELECT order_id, phone_number FROM topup_order_rows
UNION ALL
SELECT id, request ->> 'phoneNumber' FROM orders
WHERE product = 'Topup' AND request ? 'phoneNumber' AND NOT EXISTS (SELECT FROM topup_order_rows r WHERE r.order_id = orders.id);
