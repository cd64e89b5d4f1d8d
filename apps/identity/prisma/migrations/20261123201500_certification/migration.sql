-- What partners have shown in the sandbox before they go live (spec §17.6, docs/adr/0047).
CREATE TABLE "certifications" (
  "partner_id" uuid NOT NULL,
  "products" text[] NOT NULL DEFAULT '{Topup,Esim,Scent}',
  "certified_at" timestamptz(3),
  "waived_by_name" text,
  "waive_reason" text,
  CONSTRAINT "certifications_pkey" PRIMARY KEY ("partner_id"),
  CONSTRAINT "certifications_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "certifications_products_check" CHECK (cardinality("products") > 0 AND "products" <@ '{Topup,Esim,Scent}'),
  CONSTRAINT "certifications_waived_check" CHECK (("waived_by_name" IS NULL) = ("waive_reason" IS NULL) AND ("waived_by_name" IS NULL OR "certified_at" IS NOT NULL))
);

CREATE TABLE "certification_steps" (
  "partner_id" uuid NOT NULL,
  "step" text NOT NULL,
  "shown_at" timestamptz(3) NOT NULL,
  "evidence_type" text NOT NULL,
  "evidence_id" text NOT NULL,
  "request_id" text NOT NULL,
  CONSTRAINT "certification_steps_pkey" PRIMARY KEY ("partner_id", "step"),
  CONSTRAINT "certification_steps_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

-- The two halves of a step meet here, whichever gateway saw them and whichever came first.
CREATE TABLE "certification_halves" (
  "partner_id" uuid NOT NULL,
  "step" text NOT NULL,
  "subject" text NOT NULL,
  "first_at" timestamptz(3),
  "second_at" timestamptz(3),
  "evidence_type" text NOT NULL,
  "evidence_id" text NOT NULL,
  "request_id" text NOT NULL,
  "forget_at" timestamptz(3) NOT NULL,
  CONSTRAINT "certification_halves_pkey" PRIMARY KEY ("partner_id", "step", "subject"),
  CONSTRAINT "certification_halves_half_check" CHECK ("first_at" IS NOT NULL OR "second_at" IS NOT NULL)
);
CREATE INDEX "certification_halves_forget_at_idx" ON "certification_halves" ("forget_at");

CREATE TABLE "certification_limits" (
  "partner_id" uuid NOT NULL,
  "client_id" text NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "wait_until" timestamptz(3) NOT NULL,
  "request_id" text NOT NULL,
  CONSTRAINT "certification_limits_pkey" PRIMARY KEY ("partner_id", "client_id", "at"),
  CONSTRAINT "certification_limits_wait_check" CHECK ("wait_until" > "at")
);
CREATE INDEX "certification_limits_wait_until_idx" ON "certification_limits" ("wait_until");

CREATE TABLE "certification_calls" (
  "partner_id" uuid NOT NULL,
  "client_id" text NOT NULL,
  "at" timestamptz(3) NOT NULL,
  CONSTRAINT "certification_calls_pkey" PRIMARY KEY ("partner_id", "client_id", "at")
);
CREATE INDEX "certification_calls_at_idx" ON "certification_calls" ("at");
