-- When the last pass that ended had started: it counts for whoever asked for one since, also while the next is under way.
ALTER TABLE reconciliation_checks ADD COLUMN last_pass_started_at timestamptz;
