-- Invariant: the decision of a return request is final (spec §8.2).
-- A decision is final (spec §8.2).
CREATE OR REPLACE FUNCTION refuse_return_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'return request % cannot be % when it is %', OLD.id, NEW.status, OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'return_requests_moves', TABLE = 'return_requests';
END
$$;

CREATE OR REPLACE TRIGGER return_requests_moves BEFORE UPDATE OF status ON return_requests FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_return_decision();
