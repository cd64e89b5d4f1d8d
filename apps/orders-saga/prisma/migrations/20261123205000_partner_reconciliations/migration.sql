-- What came of comparing a partner's own record with our orders, for 30 days (spec §17.4, docs/adr/0046). Ids hold their time, so both
-- tables go by their keys.
CREATE TABLE partner_reconciliations (
  id uuid PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
  product text NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  -- As of when our orders were read.
  created_at timestamptz NOT NULL,
  -- Of the file.
  row_count integer NOT NULL,
  matched integer NOT NULL,
  missing_here integer NOT NULL,
  missing_there integer NOT NULL,
  amount_differs integer NOT NULL,
  status_differs integer NOT NULL,
  CONSTRAINT partner_reconciliations_time CHECK (from_at < to_at)
);
-- How many a partner has.
CREATE INDEX partner_reconciliations_of_partner ON partner_reconciliations (partner_id, environment, id);

-- A hundred differences of one kind, by reference; a page is two of these at most.
CREATE TABLE partner_reconciliation_differences (
  reconciliation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('missingHere', 'missingThere', 'amountDiffers', 'statusDiffers')),
  -- From 0.
  block integer NOT NULL,
  differences jsonb NOT NULL,
  PRIMARY KEY (reconciliation_id, kind, block)
);
