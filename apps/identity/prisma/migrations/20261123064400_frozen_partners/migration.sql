-- A partner's own switch: frozen, it takes everybody below it along (spec §18.5).
ALTER TABLE "partners" ADD COLUMN "is_frozen" boolean NOT NULL DEFAULT false;
