-- Invariant: an entry of a saga's journal is written once, under the saga's lock, behind those it has; also by the version before.
-- What is written to the view saga_steps goes into the saga's row; where that is not there yet, as when the version before makes an
-- order, into saga_step_rows. Entries in the row go with it.
CREATE OR REPLACE FUNCTION write_saga_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM saga_step_rows
    WHERE order_id = OLD.order_id AND step = OLD.step AND attempt = OLD.attempt AND phase = OLD.phase;
    RETURN OLD;
  END IF;
  NEW.attempt := coalesce(NEW.attempt, 0);
  NEW.recorded_at := coalesce(NEW.recorded_at, clock_timestamp());
  PERFORM FROM sagas WHERE order_id = NEW.order_id FOR NO KEY UPDATE;
  IF FOUND AND EXISTS (SELECT FROM saga_steps WHERE order_id = NEW.order_id AND step = NEW.step
    AND attempt = NEW.attempt AND phase = NEW.phase) THEN
    RAISE unique_violation USING MESSAGE = 'this entry is in the journal already', CONSTRAINT = 'saga_steps_pkey',
      TABLE = 'saga_steps';
  END IF;
  UPDATE sagas SET journal = concat_ws(E'\n', (extract(epoch FROM NEW.recorded_at) * 1000000)::bigint || ' '
    || jsonb_build_array(NEW.step, NEW.attempt, NEW.outcome, NEW.details), nullif(journal, ''))
  WHERE order_id = NEW.order_id;
  IF NOT FOUND THEN
    INSERT INTO saga_step_rows (order_id, step, attempt, phase, outcome, details, recorded_at)
    VALUES (NEW.order_id, NEW.step, NEW.attempt, NEW.phase, NEW.outcome, NEW.details, NEW.recorded_at);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER saga_steps_written INSTEAD OF INSERT OR DELETE ON saga_steps
  FOR EACH ROW EXECUTE FUNCTION write_saga_step();
