-- Which open step of a saga fails, since when and how often in a row: a step that fails for good is given to a person, and a
-- crash must not begin the count anew. Of tasks the same, and since when one is not tried any more until a person says so.
ALTER TABLE sagas
  ADD COLUMN failing_step text COLLATE "C",
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN failures integer NOT NULL DEFAULT 0;

ALTER TABLE order_tasks
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failure_code text,
  ADD COLUMN parked_at timestamptz;
