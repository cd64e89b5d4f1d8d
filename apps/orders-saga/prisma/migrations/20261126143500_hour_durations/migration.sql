-- What creates and calls to vendors came to within an hour, and how often they took so many milliseconds: for the operators' overview (spec
-- §18.7), whose ranks are exact. A job makes the rows of an hour of create_results and vendor_calls; what comes late takes them away again.
CREATE TABLE hour_durations (
  hour timestamptz NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  -- Whose calls they were; empty for creates.
  vendor text COLLATE "C" NOT NULL,
  -- Of a call as vendor_calls has it, of a create its code as create_results has it.
  outcome text COLLATE "C" NOT NULL,
  -- Each number of milliseconds once, null for those of which it is not known, and beside it how often.
  durations_ms integer[] NOT NULL,
  counts integer[] NOT NULL,
  PRIMARY KEY (hour, environment, vendor, outcome),
  CHECK (cardinality(durations_ms) > 0 AND cardinality(counts) = cardinality(durations_ms))
);
