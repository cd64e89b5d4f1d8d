-- What they said stands in webhook_last_attempts.
ALTER TABLE webhook_subscriptions
  -- safe: the version before neither reads nor writes it
  DROP COLUMN last_delivery_at,
  -- safe: the version before neither reads nor writes it
  DROP COLUMN last_delivery_status;
