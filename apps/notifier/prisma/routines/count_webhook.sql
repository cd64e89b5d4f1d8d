-- Invariant: a partner has at most 20 subscriptions in an environment, five of them active, however many change at once (spec §10.1, §14.4).
-- The one writer of webhook_counts, whose checks are the limits and whose row lock makes changes take turns.
CREATE OR REPLACE FUNCTION count_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO webhook_counts AS c (partner_id, environment, active, total)
    VALUES (NEW.partner_id, NEW.environment, NEW.is_active::int, 1)
    ON CONFLICT (partner_id, environment) DO UPDATE SET active = c.active + excluded.active, total = c.total + 1;
  ELSE
    UPDATE webhook_counts
    SET active = active - OLD.is_active::int + (TG_OP = 'UPDATE' AND NEW.is_active)::int,
        total = total - (TG_OP = 'DELETE')::int
    WHERE partner_id = OLD.partner_id AND environment = OLD.environment;
  END IF;
  RETURN NULL;
END;
$$;

CREATE OR REPLACE TRIGGER webhook_created AFTER INSERT ON webhook_subscriptions
  FOR EACH ROW EXECUTE FUNCTION count_webhook();
CREATE OR REPLACE TRIGGER webhook_paused_or_resumed AFTER UPDATE OF is_active ON webhook_subscriptions
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_webhook();
CREATE OR REPLACE TRIGGER webhook_deleted AFTER DELETE ON webhook_subscriptions
  FOR EACH ROW EXECUTE FUNCTION count_webhook();
