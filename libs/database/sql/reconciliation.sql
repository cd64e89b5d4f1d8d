-- The reconciler of one service, copied into a migration of its own as it stands here (libs/database).

-- Where each check stands: the pass under way through all its subjects, and how far it has followed the new ones.
CREATE TABLE reconciliation_checks (
  name text PRIMARY KEY,
  -- The newest subject compared soon after it came; only of checks whose subjects come in order of time.
  head text,
  -- The last subject of the pass under way; null between passes.
  at_subject text,
  pass_started_at timestamptz,
  pass_completed_at timestamptz,
  -- Compared so far by the pass under way, and by the last one that ended: how many there will be.
  pass_subjects bigint NOT NULL DEFAULT 0,
  last_pass_subjects bigint,
  -- When the last pass that ended had started.
  last_pass_started_at timestamptz
);

-- What did not agree. A difference is never repaired here: it ends when a later comparison finds it gone. One that was accepted counts
-- as open no more for as long as its figures are those that were accepted.
CREATE TABLE reconciliation_differences (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  check_name text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  expected text NOT NULL,
  found text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz,
  accepted_expected text,
  accepted_found text,
  accepted_at timestamptz,
  accepted_by text,
  accepted_notes text,
  CONSTRAINT reconciliation_differences_accepted
    CHECK (num_nulls(accepted_expected, accepted_found, accepted_at, accepted_by, accepted_notes) IN (0, 5))
);
CREATE UNIQUE INDEX reconciliation_differences_one_open ON reconciliation_differences (check_name, kind, subject)
  WHERE resolved_at IS NULL;
CREATE INDEX reconciliation_differences_newest ON reconciliation_differences (first_seen_at DESC, id DESC);
