-- A statement stays in the language that it was made in (spec §9.4).
ALTER TABLE "statements" ADD COLUMN "language" text NOT NULL DEFAULT 'en',
  ADD CONSTRAINT "statements_language_check" CHECK ("language" IN ('en', 'ar')) NOT VALID;
