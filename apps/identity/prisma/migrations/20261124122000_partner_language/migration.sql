-- The language of a partner's statements on paper (spec §9.4).
ALTER TABLE "partners" ADD COLUMN "language" text NOT NULL DEFAULT 'en',
  ADD CONSTRAINT "partners_language_check" CHECK ("language" IN ('en', 'ar')) NOT VALID;
