-- Global ids are for people to read out: PRT-000001, and past a million simply longer.
CREATE SEQUENCE "partner_global_id_seq" AS bigint;

CREATE TABLE "partners" (
  "id" uuid NOT NULL,
  "global_id" text NOT NULL DEFAULT 'PRT-' || to_char(nextval('partner_global_id_seq'), 'FM9999999999999000000'),
  "name" text NOT NULL,
  "parent_partner_id" uuid,
  "path" uuid[] NOT NULL,
  "is_active" boolean NOT NULL DEFAULT true,
  "display_currency" text,
  "is_vat_registered" boolean NOT NULL DEFAULT false,
  "tax_registration_number" text,
  "commission_rate" numeric(7, 6),
  "marketing_enabled" boolean NOT NULL DEFAULT false,
  "billing_email" text,
  "version" integer NOT NULL DEFAULT 1,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "partners_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "partners_parent_partner_id_fkey" FOREIGN KEY ("parent_partner_id") REFERENCES "partners" ("id")
    ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "partners_name_check" CHECK (char_length("name") BETWEEN 1 AND 200),
  CONSTRAINT "partners_display_currency_check" CHECK ("display_currency" ~ '^[A-Z]{3}$'),
  CONSTRAINT "partners_tax_registration_number_check" CHECK (char_length("tax_registration_number") BETWEEN 1 AND 64),
  CONSTRAINT "partners_commission_rate_check" CHECK ("commission_rate" BETWEEN 0 AND 1),
  CONSTRAINT "partners_version_check" CHECK ("version" >= 1),
  -- The path runs from the root to the partner itself, its last step is the parent, and nobody is met twice.
  CONSTRAINT "partners_path_ends_here_check" CHECK ("path"[cardinality("path")] IS NOT DISTINCT FROM "id"),
  CONSTRAINT "partners_path_through_parent_check"
    CHECK ("parent_partner_id" IS NOT DISTINCT FROM "path"[cardinality("path") - 1]),
  CONSTRAINT "partners_path_without_cycle_check" CHECK (NOT ("id" = ANY ("path"[1:cardinality("path") - 1])))
);

CREATE UNIQUE INDEX "partners_global_id_key" ON "partners" ("global_id");
CREATE INDEX "partners_created_at_id_idx" ON "partners" ("created_at" DESC, "id" DESC);
CREATE INDEX "partners_parent_partner_id_idx" ON "partners" ("parent_partner_id");
CREATE INDEX "partners_path_idx" ON "partners" USING gin ("path");

CREATE TYPE "environment" AS ENUM ('sandbox', 'live');

CREATE TABLE "credentials" (
  "client_id" text NOT NULL,
  "partner_id" uuid NOT NULL,
  "environment" "environment" NOT NULL,
  "secret_hash" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "revoked_at" timestamptz(3),
  CONSTRAINT "credentials_pkey" PRIMARY KEY ("client_id"),
  CONSTRAINT "credentials_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners" ("id")
    ON DELETE RESTRICT ON UPDATE RESTRICT,
  -- An HMAC-SHA-256, never a secret (spec §2.4).
  CONSTRAINT "credentials_secret_hash_check" CHECK (octet_length("secret_hash") = 32)
);

CREATE INDEX "credentials_partner_id_idx" ON "credentials" ("partner_id");

-- The generation is what two instances race for when both see that a successor is due: one of them wins.
CREATE TABLE "signing_keys" (
  "generation" integer NOT NULL,
  "key_id" text NOT NULL,
  "public_jwk" jsonb NOT NULL,
  "sealed_private_key" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL,
  "sign_from" timestamptz(3) NOT NULL,
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("generation"),
  CONSTRAINT "signing_keys_generation_check" CHECK ("generation" >= 1),
  CONSTRAINT "signing_keys_public_jwk_check" CHECK (NOT ("public_jwk" ? 'd'))
);

CREATE UNIQUE INDEX "signing_keys_key_id_key" ON "signing_keys" ("key_id");
CREATE UNIQUE INDEX "signing_keys_sign_from_key" ON "signing_keys" ("sign_from");

CREATE TYPE "audit_actor_type" AS ENUM ('partner', 'operator');

-- No foreign keys: the record stands by itself, whatever becomes of what it names.
CREATE TABLE "audit_entries" (
  "id" uuid NOT NULL,
  "actor_type" "audit_actor_type" NOT NULL,
  "acting_partner_id" uuid,
  "acting_client_id" text,
  "operator" text,
  "partner_id" uuid,
  "action" text NOT NULL,
  "subject" text,
  "request_id" text NOT NULL,
  "occurred_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "details" text NOT NULL DEFAULT '{}',
  CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id"),
  -- Text, so that it is read as it was written.
  CONSTRAINT "audit_entries_details_check" CHECK ("details" IS JSON OBJECT),
  -- Who acted is never left open (spec §2.5).
  CONSTRAINT "audit_entries_actor_check" CHECK (
    CASE "actor_type"
      WHEN 'partner' THEN "acting_partner_id" IS NOT NULL AND "acting_client_id" IS NOT NULL AND "operator" IS NULL
      ELSE "operator" IS NOT NULL AND "acting_partner_id" IS NULL AND "acting_client_id" IS NULL
    END
  )
);

CREATE INDEX "audit_entries_occurred_at_id_idx" ON "audit_entries" ("occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_entries_partner_id_occurred_at_id_idx"
  ON "audit_entries" ("partner_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_entries_acting_partner_id_occurred_at_id_idx"
  ON "audit_entries" ("acting_partner_id", "occurred_at" DESC, "id" DESC);

-- The trigger stops a superuser too; the grants stop the service's own role before it gets that far.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_entries" FROM PUBLIC, CURRENT_USER;

-- The outbox, as in libs/messaging/sql/messaging.sql.

-- Events that are committed with the change that they are about. A relay publishes them by state (published_at), never by a
-- cursor: ids commit out of order.
CREATE TABLE outbox (
  event_id uuid PRIMARY KEY,
  topic text NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  CONSTRAINT outbox_aggregate_seq_key UNIQUE (aggregate_id, aggregate_seq)
);

-- What is still to be published, in the order within each aggregate; it stays as small as the backlog.
CREATE INDEX outbox_unpublished_idx ON outbox (aggregate_id, aggregate_seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published_at_idx ON outbox (published_at) WHERE published_at IS NOT NULL;

-- The last sequence of each aggregate. Its row lock is held to the end of the transaction, so numbers are given out in
-- commit order and without gaps.
CREATE TABLE outbox_aggregate (
  aggregate_id text PRIMARY KEY,
  last_seq bigint NOT NULL
) WITH (fillfactor = 50);
