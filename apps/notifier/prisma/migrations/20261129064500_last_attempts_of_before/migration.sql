-- The last attempt of before there was webhook_last_attempts moves there; the version before reads both, and writes there alone. Nothing
-- reads the two columns of webhook_subscriptions any more, which go with the version after this one.
-- safe: at most twenty a partner, and nobody waits for a row of it
INSERT INTO webhook_last_attempts (subscription_id, minute, attempted_at, status)
SELECT id, date_trunc('minute', last_delivery_at), last_delivery_at, last_delivery_status FROM webhook_subscriptions AS s
WHERE last_delivery_at IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_last_attempts AS l WHERE l.subscription_id = s.id)
ON CONFLICT (subscription_id, minute) DO NOTHING;
