-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- inbox, outbox, outbox_aggregate: libs/messaging; reconciliation_*: libs/database; vendor_journal: the simulated vendor's.
-- order_total_changes has no key (docs/adr/0014); reference_key and customer_ref are generated columns.

ALTER TABLE "esim_products" DROP CONSTRAINT "esim_products_geo_scope_global_id_fkey";
DROP INDEX "orders_reference";
ALTER TABLE "orders" DROP COLUMN "reference_key",
ALTER COLUMN "customer_ref" DROP DEFAULT;
DROP TABLE "inbox";
DROP TABLE "order_total_changes";
DROP TABLE "outbox";
DROP TABLE "outbox_aggregate";
DROP TABLE "reconciliation_checks";
DROP TABLE "reconciliation_differences";
DROP TABLE "vendor_journal";
