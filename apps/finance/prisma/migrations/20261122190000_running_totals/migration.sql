-- Each line of a wallet says what its debits come to so far, so that the sums of a period are the difference of two lines
-- (docs/adr/0014). Lines of before say nothing; a wallet of before adds its debits up once, at its next movement.
ALTER TABLE wallets ADD COLUMN debit_total numeric(20, 2);
ALTER TABLE wallets ALTER COLUMN debit_total SET DEFAULT 0;
ALTER TABLE ledger_entries ADD COLUMN debit_total numeric(20, 2);
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entry_debit_total
  CHECK ((wallet_id IS NULL) = (debit_total IS NULL)) NOT VALID;

-- Statements whose lines are still being copied, and how many pieces of them are; gone when all of them are (docs/adr/0009).
CREATE TABLE statement_copies (
  statement_id uuid PRIMARY KEY REFERENCES statements (id),
  pieces       integer NOT NULL DEFAULT 0 CHECK (pieces >= 0)
) WITH (fillfactor = 50);
