-- Version before: it claims by this, of the given subscriptions or of all.
CREATE OR REPLACE FUNCTION webhook_claim(
  p_limit integer, p_cap integer, p_lease_ms integer, p_subscription_ids uuid[] DEFAULT NULL
)
RETURNS TABLE (
  delivery_id uuid, subscription_id uuid, event_id uuid, event_type text, attempts_made integer, token uuid,
  url text, secret_ciphertext bytea, secret_key_id text, body bytea, headers jsonb
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.delivery_id, c.subscription_id, c.event_id, c.event_type, c.attempts_made, c.token, c.url,
         c.secret_ciphertext, c.secret_key_id, c.body, c.headers
  FROM webhook_claim_due(p_limit, p_cap, p_lease_ms, p_subscription_ids, NULL, NULL) c
  WHERE c.delivery_id IS NOT NULL;
END;
$$;
