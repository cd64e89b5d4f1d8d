-- Each audit entry is a link of one chain (spec §18.4, docs/adr/0038): its number, without gaps, the hash of the one before it, and
-- its own. Entries of before, and of an instance of the version before, are linked by a job; until then they have none of the three.
ALTER TABLE "audit_entries"
  ADD COLUMN "sequence" bigint,
  ADD COLUMN "previous_hash" text,
  ADD COLUMN "hash" text;
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_link_check" CHECK (
  num_nulls("sequence", "previous_hash", "hash") IN (0, 3)
  AND "sequence" > 0 AND "previous_hash" ~ '^[0-9a-f]{64}$' AND "hash" ~ '^[0-9a-f]{64}$'
) NOT VALID;

-- Nothing but the link of an entry without one is ever written: the trigger sees to it, whoever connects.
GRANT UPDATE ("sequence", "previous_hash", "hash") ON "audit_entries" TO CURRENT_USER;

-- The last link of the chain; its row's lock gives out the numbers.
CREATE TABLE "audit_heads" (
  "service" text NOT NULL,
  "sequence" bigint NOT NULL,
  "hash" text NOT NULL,
  "occurred_at" timestamptz(3) NOT NULL,
  CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("service")
) WITH (fillfactor = 10);
INSERT INTO "audit_heads" ("service", "sequence", "hash", "occurred_at") VALUES ('identity', 0, repeat('0', 64), 'epoch');
