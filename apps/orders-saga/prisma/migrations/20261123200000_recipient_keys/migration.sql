-- The key of a day (UTC) by which finance is told which orders are for the same recipient, and not for whom (spec §17.5,
-- docs/adr/0045). Once it is gone, nobody can tell what was hashed with it.
CREATE TABLE recipient_keys (
  day date PRIMARY KEY,
  key bytea NOT NULL CHECK (length(key) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
