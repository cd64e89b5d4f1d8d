-- What this service's migrations make and schema.prisma does not say, as the statements by which Prisma would take it away.
-- libs/database/test/drift.spec.ts holds the two together: any other difference between them fails.
-- An index that is only there where the extension pg_trgm is, and two that INCLUDE a column.

DROP INDEX "scents_search_text_idx";
DROP INDEX "variants_brand_id_idx";
DROP INDEX "variants_scent_id_idx";

-- A sequence that two tables share.

ALTER TABLE "back_in_stock_registrations" ALTER COLUMN "position" SET DEFAULT nextval('back_in_stock_positions'::regclass), ALTER COLUMN "position" DROP DEFAULT;
ALTER TABLE "stock_rises" ALTER COLUMN "position" SET DEFAULT nextval('back_in_stock_positions'::regclass), ALTER COLUMN "position" DROP DEFAULT;
DROP SEQUENCE "back_in_stock_positions";
DROP SEQUENCE "back_in_stock_positions";
