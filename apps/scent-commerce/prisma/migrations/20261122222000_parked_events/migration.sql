-- Events that the event bus refused for good are set aside with the reason, and those behind them in their aggregate without one
-- (docs/adr/0023).
ALTER TABLE outbox ADD COLUMN parked_at timestamptz, ADD COLUMN parked_reason text;
