-- Which key of CREDENTIAL_HASH_KEY and KEY_ENCRYPTION_KEY each row needs. '0' is the key that was given without an id; a version that
-- does not know these columns uses that one.
ALTER TABLE "credentials" ADD COLUMN "hash_key_id" text NOT NULL DEFAULT '0';
ALTER TABLE "operator_tokens" ADD COLUMN "hash_key_id" text NOT NULL DEFAULT '0';
ALTER TABLE "signing_keys" ADD COLUMN "sealed_by" text NOT NULL DEFAULT '0',
  -- Since then neither signs nor verifies.
  ADD COLUMN "revoked_at" timestamptz(3);
