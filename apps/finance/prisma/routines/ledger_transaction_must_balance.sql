-- Invariant: the lines of each ledger transaction sum to zero, whoever writes them and whenever a line is added.
-- Each statement that inserts lines adds as much as it takes away, in each transaction; so the ledger itself need not be read.
CREATE OR REPLACE FUNCTION ledger_transaction_must_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tx_id uuid;
BEGIN
  SELECT tx_id INTO v_tx_id FROM inserted GROUP BY tx_id HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', v_tx_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_zero_sum', TABLE = 'ledger_entries';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS ledger_transaction_zero_sum ON ledger_entries;
CREATE TRIGGER ledger_transaction_zero_sum AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_transaction_must_balance();
