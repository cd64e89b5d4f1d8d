-- What creates of orders came to at the gateways, refusals included, for the operators' overview (spec §18.7, docs/adr/0041): a row for each
-- batch of a gateway (half a second), environment and code. The key makes a batch that is sent again change nothing.
CREATE TABLE create_results (
  gateway uuid NOT NULL,
  sequence bigint NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  -- Of the error catalogue; empty for those answered with success.
  code text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  -- When each was answered, in milliseconds since started_at; of successes also how long each took.
  offsets_ms integer[] NOT NULL,
  durations_ms integer[] NOT NULL,
  PRIMARY KEY (gateway, sequence, environment, code),
  -- So that those of a time are found by their ends.
  CHECK (ended_at BETWEEN started_at AND started_at + interval '1 minute'),
  CHECK (cardinality(offsets_ms) > 0 AND cardinality(durations_ms) = CASE code WHEN '' THEN cardinality(offsets_ms) ELSE 0 END)
);
CREATE INDEX create_results_ended ON create_results (ended_at);
