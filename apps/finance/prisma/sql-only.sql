-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- inbox, outbox, outbox_aggregate: libs/messaging; reconciliation_*: libs/database; reservation: hot, touched by functions alone.
-- transaction_type, type_seq and previous_number are generated columns, and statement_follows refers to one of them.

ALTER TABLE "statement" DROP CONSTRAINT "statement_follows";
DROP INDEX "statement_end";
ALTER TABLE "ledger_entry" ALTER COLUMN "transaction_type" DROP DEFAULT,
ALTER COLUMN "type_seq" DROP DEFAULT;
ALTER TABLE "statement" ALTER COLUMN "previous_number" DROP DEFAULT;
DROP TABLE "inbox";
DROP TABLE "outbox";
DROP TABLE "outbox_aggregate";
DROP TABLE "reconciliation_checks";
DROP TABLE "reconciliation_differences";
DROP TABLE "reservation";
