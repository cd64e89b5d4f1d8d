-- The idempotency keys of one service, copied into a migration of its own as it stands here (libs/database).

-- A key of a partner's, the request it came with and the response it has (spec §1.11); for a day.
CREATE TABLE idempotency_keys (
  partner_id uuid NOT NULL,
  environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
  key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
  -- Of method, path, query and body.
  fingerprint text NOT NULL,
  -- The response message; null while an attempt is under way that is no transaction.
  response bytea,
  -- The key that the response is sealed with; null where it holds no secret.
  sealed_with text,
  -- What such an attempt has settled before it began, and until when nobody else takes it up.
  memo jsonb,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (partner_id, environment, key),
  CONSTRAINT idempotency_keys_under_way CHECK (response IS NOT NULL OR (memo IS NOT NULL AND lease_until IS NOT NULL))
);
CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
