-- When a credential ends by itself, from where it may be used, and its last use before the sign-ins that are kept (spec §18.6).
ALTER TABLE "credentials"
  ADD COLUMN "expires_at" timestamptz(3),
  ADD COLUMN "allowed_cidrs" text[] NOT NULL DEFAULT '{}',
  ADD COLUMN "last_used_at" timestamptz(3),
  ADD COLUMN "last_used_from" text;

-- Every exchange of a known credential for a token, refused ones too. No foreign keys: the record stands by itself.
CREATE TABLE "sign_ins" (
  "id" uuid NOT NULL DEFAULT uuidv7(),
  "at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "partner_id" uuid NOT NULL,
  "client_id" text NOT NULL,
  "environment" "environment" NOT NULL,
  "on_behalf_of" text,
  "result" text NOT NULL,
  "from_address" text,
  "request_id" text NOT NULL,
  CONSTRAINT "sign_ins_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "sign_ins_partner_id_at_id_idx" ON "sign_ins" ("partner_id", "at" DESC, "id" DESC);
CREATE INDEX "sign_ins_last_use_idx" ON "sign_ins" ("client_id", "at" DESC) WHERE "result" = 'Issued';
CREATE INDEX "sign_ins_at_idx" ON "sign_ins" ("at");
