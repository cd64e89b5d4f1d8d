-- Who accepted a difference, when, why, and with which figures: with others it counts as open again.
-- safe: a table of open and lately ended differences, some thousand rows at most
ALTER TABLE reconciliation_differences
  ADD COLUMN accepted_expected text,
  ADD COLUMN accepted_found text,
  ADD COLUMN accepted_at timestamptz,
  ADD COLUMN accepted_by text,
  ADD COLUMN accepted_notes text,
  ADD CONSTRAINT reconciliation_differences_accepted
    CHECK (num_nulls(accepted_expected, accepted_found, accepted_at, accepted_by, accepted_notes) IN (0, 5));
