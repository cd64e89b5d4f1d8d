-- Invariant: at most five subscriptions of a partner are active in an environment, however many change at once (spec §10.1).
-- The one writer of active_webhook_counts, whose check is the limit and whose row lock makes changes take turns.
CREATE OR REPLACE FUNCTION count_active_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.is_active THEN
    INSERT INTO active_webhook_counts AS c (partner_id, environment, active)
    VALUES (NEW.partner_id, NEW.environment, 1)
    ON CONFLICT (partner_id, environment) DO UPDATE SET active = c.active + 1;
  ELSE
    UPDATE active_webhook_counts SET active = active - 1
    WHERE partner_id = OLD.partner_id AND environment = OLD.environment;
  END IF;
  RETURN NULL;
END;
$$;

CREATE OR REPLACE TRIGGER webhook_created AFTER INSERT ON webhook_subscriptions
  FOR EACH ROW WHEN (NEW.is_active) EXECUTE FUNCTION count_active_webhook();
CREATE OR REPLACE TRIGGER webhook_paused_or_resumed AFTER UPDATE OF is_active ON webhook_subscriptions
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_active_webhook();
CREATE OR REPLACE TRIGGER webhook_deleted AFTER DELETE ON webhook_subscriptions
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION count_active_webhook();
