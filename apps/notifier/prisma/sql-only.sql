-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- Deliveries are claimed and recorded by functions; Prisma has no part in them (docs/adr/0021, docs/adr/0021).

ALTER TABLE "webhook_pending_deliveries" DROP CONSTRAINT "webhook_pending_deliveries_subscription_id_fkey";
DROP TABLE "webhook_delivery_counts";
DROP TABLE "webhook_events";
DROP TABLE "webhook_finished_deliveries";
DROP TABLE "webhook_leases";
DROP TABLE "webhook_pending_deliveries";
DROP TABLE "webhook_redeliveries";
