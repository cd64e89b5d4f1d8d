-- Invariant: an issued statement and its lines never change, but for what became of its e-mail.
CREATE OR REPLACE FUNCTION statement_is_locked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The generated column is not worked out yet when the trigger runs.
  free CONSTANT text[] := '{email_status,email_status_reason,email_sent_at,email_attempts,email_due_at,previous_number}';
BEGIN
  IF TG_OP = 'UPDATE' AND TG_LEVEL = 'ROW' AND to_jsonb(OLD) - free = to_jsonb(NEW) - free THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% of % is refused: a statement is locked', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'statement_locked', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER statement_locked BEFORE UPDATE ON statements FOR EACH ROW EXECUTE FUNCTION statement_is_locked();
CREATE OR REPLACE TRIGGER statement_stays BEFORE DELETE OR TRUNCATE ON statements
  FOR EACH STATEMENT EXECUTE FUNCTION statement_is_locked();
CREATE OR REPLACE TRIGGER statement_pieces_locked BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_pieces
  FOR EACH STATEMENT EXECUTE FUNCTION statement_is_locked();
