-- The display rates that finance was last read to have (spec §3.3): what reads go on with while it is away. No rate: it had none.
CREATE TABLE known_rates (
  currency text PRIMARY KEY,
  rate     numeric(18, 6),
  read_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
