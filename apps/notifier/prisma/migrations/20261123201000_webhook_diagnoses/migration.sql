-- The last diagnosis of a subscription's receiver, and whether one is under way (spec §17.3). One row a subscription, gone with it.
CREATE TABLE webhook_diagnoses (
  subscription_id uuid PRIMARY KEY REFERENCES webhook_subscriptions (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  -- Of the diagnosis that is under way, until it has surely ended; one that lost it records nothing.
  lease_token uuid,
  lease_until timestamptz,
  -- Of the last one that ended.
  started_at timestamptz,
  grade text CHECK (grade IN ('Pass', 'Warn', 'Fail')),
  -- As { name, result, durationMs, message }.
  checks jsonb,
  CONSTRAINT webhook_diagnoses_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  CONSTRAINT webhook_diagnoses_whole CHECK (num_nulls(started_at, grade, checks) IN (0, 3))
);
