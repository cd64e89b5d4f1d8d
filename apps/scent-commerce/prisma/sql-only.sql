-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- reconciliation_*: libs/database; touched_on is a generated column. References and indexes that only statements use.

ALTER TABLE "cart_lines" DROP CONSTRAINT "cart_lines_cart_id_fkey";
ALTER TABLE "cart_lines" DROP CONSTRAINT "cart_lines_variant_id_fkey";
ALTER TABLE "checkouts" DROP CONSTRAINT "checkouts_cart_id_fkey";
ALTER TABLE "price_locks" DROP CONSTRAINT "price_locks_cart_id_fkey";
ALTER TABLE "stock_reservations" DROP CONSTRAINT "stock_reservations_variant_id_fkey";
DROP INDEX "discount_redemptions_code_idx";
DROP INDEX "price_locks_expired";
DROP INDEX "scents_brand_id_name_idx";
DROP INDEX "scents_name_idx";
DROP INDEX "scents_search_text_idx";
DROP INDEX "variants_brand_id_idx";
DROP INDEX "variants_scent_id_idx";
ALTER TABLE "carts" DROP COLUMN "touched_on";
DROP TABLE "reconciliation_checks";
DROP TABLE "reconciliation_differences";
