-- Every audit entry is a link of the chain: the version before links what it records, in the statement that records it.
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_linked" CHECK (
  "sequence" IS NOT NULL AND "previous_hash" IS NOT NULL AND "hash" IS NOT NULL
) NOT VALID;
