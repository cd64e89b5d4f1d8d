-- How many subjects a pass of a check has compared, and how many the last one had (libs/database).
ALTER TABLE "reconciliation_checks" ADD COLUMN "pass_subjects" bigint NOT NULL DEFAULT 0,
  ADD COLUMN "last_pass_subjects" bigint;
