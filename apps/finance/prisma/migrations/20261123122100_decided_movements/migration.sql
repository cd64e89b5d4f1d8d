-- Whose decision a movement follows from, and the second operator's where one had to agree; null where a partner caused it, and
-- on movements that are older than these columns (spec §18.4).
ALTER TABLE ledger_transactions
  ADD COLUMN operator    text,
  ADD COLUMN request_id  text,
  ADD COLUMN approved_by text;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transaction_decided
  CHECK (operator IS NOT NULL OR (request_id IS NULL AND approved_by IS NULL)) NOT VALID;
