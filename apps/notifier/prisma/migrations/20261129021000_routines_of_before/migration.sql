-- Nothing but its routines: webhook_add_events and webhook_claim, which only a version before the one before called.

-- safe: unused since webhook_take_events, which it passed its events on to
DROP FUNCTION IF EXISTS webhook_add_events(uuid[], uuid[], text[], text[], timestamptz[], text[], bytea[], jsonb[]);

-- safe: unused since webhook_claim_due, which it claimed by
DROP FUNCTION IF EXISTS webhook_claim(integer, integer, integer, uuid[]);
