-- A Percent of three or four decimals in full (spec §6.9). "value" holds it rounded up to two, as the version before reads it, and that
-- version changes "value" alone: the finer one counts for as long as it rounds up to that.
ALTER TABLE "discount_codes" ADD COLUMN "finer_value" numeric(7, 4);
