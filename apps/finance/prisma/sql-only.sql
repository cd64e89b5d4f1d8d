-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- transaction_type, type_seq and previous_number are generated columns, and statement_follows refers to one of them.

ALTER TABLE "statements" DROP CONSTRAINT "statement_follows";
DROP INDEX "statement_end";
ALTER TABLE "ledger_entries" ALTER COLUMN "transaction_type" DROP DEFAULT,
ALTER COLUMN "type_seq" DROP DEFAULT;
ALTER TABLE "statements" ALTER COLUMN "previous_number" DROP DEFAULT;
