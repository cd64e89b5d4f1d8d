-- Invariant: a partner has at most 10,000 Active registrations in an environment, however many are made at once (spec §14.4).
-- Registrations are made one by one, and end many at a time: whoever ends several locks the counts in the order of their owners.
CREATE OR REPLACE FUNCTION count_active_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO resource_counts AS c (partner_id, environment, active_registrations)
    SELECT partner_id, environment, count(*) FROM now_is WHERE status = 'Active' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (partner_id, environment)
      DO UPDATE SET active_registrations = c.active_registrations + excluded.active_registrations;
  ELSIF EXISTS (SELECT 1 FROM was JOIN now_is n USING (id) WHERE was.status <> n.status) THEN
    PERFORM FROM resource_counts WHERE (partner_id, environment) IN (SELECT partner_id, environment FROM was)
    ORDER BY partner_id, environment FOR NO KEY UPDATE;
    UPDATE resource_counts c SET active_registrations = c.active_registrations - ended.n
    FROM (
      SELECT was.partner_id, was.environment, count(*) AS n FROM was JOIN now_is n USING (id)
      WHERE was.status = 'Active' AND n.status <> 'Active' GROUP BY 1, 2
    ) ended
    WHERE c.partner_id = ended.partner_id AND c.environment = ended.environment;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER registrations_made AFTER INSERT ON back_in_stock_registrations
  REFERENCING NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION count_active_registrations();
CREATE OR REPLACE TRIGGER registrations_ended AFTER UPDATE ON back_in_stock_registrations
  REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION count_active_registrations();
