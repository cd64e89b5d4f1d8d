-- Bench row: cart add + preview; finds or makes the Open cart, changes it under its row lock and reads it priced, in one statement.
-- p_action: read, add, set, remove or clear. An outcome other than Done is a refusal that changed no line: NoVariant, NoLine,
-- Frozen, TooManyUnits, TooManyLines. Two adds both count, since each waits for the cart's row lock before it looks.
CREATE OR REPLACE FUNCTION change_cart(
  p_action text, p_partner_id uuid, p_environment text, p_customer_ref text, p_path uuid[], p_idle_ms bigint,
  p_variant_id uuid DEFAULT NULL, p_quantity integer DEFAULT NULL
) RETURNS SETOF priced_row LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  c carts;
  v_idle_at timestamptz := statement_timestamp() - p_idle_ms * interval '1 millisecond';
  v_old integer;
  v_new integer;
  v_outcome text := 'Done';
BEGIN
  IF p_action = 'add' AND NOT EXISTS (SELECT 1 FROM variants WHERE id = p_variant_id AND is_active) THEN
    RETURN QUERY SELECT * FROM priced_lines('NoVariant', NULL, NULL, NULL, NULL, NULL, NULL);
    RETURN;
  END IF;
  IF p_action = 'read' THEN
    SELECT * INTO c FROM carts
    WHERE partner_id = p_partner_id AND environment = p_environment AND coalesce(customer_ref, '') = coalesce(p_customer_ref, '')
      AND status = 'Open' AND (order_key IS NOT NULL OR touched_at > v_idle_at);
    -- A cart that never had a line lives on by being read; one that is being removed at this moment is made anew.
    IF NOT c.had_lines THEN
      UPDATE carts SET touched_at = clock_timestamp() WHERE id = c.id RETURNING * INTO c;
    END IF;
  END IF;
  WHILE c.id IS NULL LOOP
    SELECT * INTO c FROM carts
    WHERE partner_id = p_partner_id AND environment = p_environment AND coalesce(customer_ref, '') = coalesce(p_customer_ref, '')
      AND status = 'Open' FOR NO KEY UPDATE;
    -- One that lay idle too long is abandoned here and now, whether or not the job has come by (spec §6.4).
    IF c.order_key IS NULL AND c.touched_at <= v_idle_at THEN
      UPDATE carts SET status = 'Abandoned' WHERE id = c.id;
      c := NULL;
    END IF;
    IF c.id IS NULL THEN
      INSERT INTO carts (partner_id, environment, customer_ref, had_lines)
      VALUES (p_partner_id, p_environment, p_customer_ref, p_action = 'add')
      ON CONFLICT (partner_id, environment, coalesce(customer_ref, '')) WHERE status = 'Open' DO NOTHING
      RETURNING * INTO c;
    END IF;
  END LOOP;
  IF p_action <> 'read' THEN
    SELECT quantity INTO v_old FROM cart_lines WHERE cart_id = c.id AND variant_id = p_variant_id;
    v_new := CASE p_action WHEN 'add' THEN coalesce(v_old, 0) + p_quantity WHEN 'set' THEN p_quantity ELSE 0 END;
    v_outcome := CASE
      WHEN c.order_key IS NOT NULL THEN 'Frozen'
      WHEN p_action IN ('set', 'remove') AND v_old IS NULL THEN 'NoLine'
      WHEN v_new > 999 THEN 'TooManyUnits'
      WHEN v_old IS NULL AND v_new > 0 AND c.line_count >= 100 THEN 'TooManyLines'
      ELSE 'Done' END;
  END IF;
  IF p_action <> 'read' AND v_outcome = 'Done' THEN
    IF v_new = 0 THEN
      DELETE FROM cart_lines WHERE cart_id = c.id AND (variant_id = p_variant_id OR p_action = 'clear');
    ELSIF v_old IS NULL THEN
      INSERT INTO cart_lines (cart_id, variant_id, quantity, position) VALUES (c.id, p_variant_id, v_new, c.version + 1);
    ELSE
      UPDATE cart_lines SET quantity = v_new WHERE cart_id = c.id AND variant_id = p_variant_id;
    END IF;
    -- A request that changed nothing leaves the version, and with it a price lock, as it is.
    UPDATE carts SET touched_at = clock_timestamp(), had_lines = had_lines OR coalesce(v_new > 0, false),
      version = version + CASE WHEN p_action = 'clear' THEN (c.line_count > 0)::int ELSE (v_new IS DISTINCT FROM v_old)::int END,
      line_count = CASE WHEN p_action = 'clear' THEN 0 ELSE line_count + (v_new > 0)::int - (v_old IS NOT NULL)::int END
    WHERE id = c.id RETURNING * INTO c;
  END IF;
  RETURN QUERY SELECT * FROM priced_lines(v_outcome, c, p_partner_id, p_environment, p_path, NULL, NULL);
END $$;
