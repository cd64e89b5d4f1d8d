-- Invariant: the lines of each ledger transaction sum to zero, whoever writes them and whenever a line is added.
CREATE OR REPLACE FUNCTION ledger_transaction_must_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(e.amount) FROM ledger_entries e WHERE e.tx_id = NEW.tx_id) <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW.tx_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_zero_sum', TABLE = 'ledger_entries';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS ledger_transaction_zero_sum ON ledger_entries;
CREATE CONSTRAINT TRIGGER ledger_transaction_zero_sum AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transaction_must_balance();
