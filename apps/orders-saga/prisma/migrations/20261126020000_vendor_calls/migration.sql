-- What orders' calls to vendors came to, for the operators' overview (spec §18.7): a row for each second, process, vendor and outcome.
CREATE TABLE vendor_calls (
  instance uuid NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  vendor text COLLATE "C" NOT NULL,
  -- What the vendor responded, or not-accepted or no-response.
  outcome text COLLATE "C" NOT NULL,
  -- When the second's calls were written, which all of them had ended by.
  recorded_at timestamptz NOT NULL,
  -- How long each took, in milliseconds.
  durations_ms integer[] NOT NULL CHECK (cardinality(durations_ms) > 0),
  -- An overview reads those of a time.
  PRIMARY KEY (recorded_at, instance, environment, vendor, outcome)
);
