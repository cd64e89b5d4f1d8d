-- What finance tells of: openings, operators' movements and display rates (docs/adr/0007). The outbox as
-- libs/messaging/sql/messaging.sql has it; the inbox is there already.

-- Events that are committed with the change they tell of. A relay publishes them by state (published_at), never by a
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

-- Appends one event in the caller's transaction and answers its id.
CREATE FUNCTION outbox_append(
  p_topic text,
  p_type text,
  p_aggregate_id text,
  p_payload bytea,
  p_headers jsonb DEFAULT '{}',
  p_event_id uuid DEFAULT NULL
) RETURNS uuid LANGUAGE sql AS $$
  WITH next AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES (p_aggregate_id, 1)
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + 1
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers, occurred_at)
  SELECT coalesce(p_event_id, uuidv7()), p_topic, p_type, p_aggregate_id, next.last_seq, p_payload,
         coalesce(p_headers, '{}'), clock_timestamp()
  FROM next
  RETURNING event_id;
$$;

-- Protobuf's wire format, as far as the events below need it. A field with its default value is left out.
CREATE FUNCTION proto_varint(p_value bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  rest bytea := '';
  n    bigint := p_value;
BEGIN
  IF n < 0 THEN
    RAISE EXCEPTION 'a varint of % is not supported', n;
  END IF;
  WHILE n >= 128 LOOP
    rest := rest || set_byte('\x00', 0, ((n & 127) | 128)::integer);
    n := n >> 7;
  END LOOP;
  RETURN rest || set_byte('\x00', 0, n::integer);
END $$;

CREATE FUNCTION proto_number(p_field integer, p_value bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_value = 0 THEN '' ELSE proto_varint(p_field << 3) || proto_varint(p_value) END;
$$;

CREATE FUNCTION proto_bytes(p_field integer, p_value bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_value = '' THEN ''
              ELSE proto_varint((p_field << 3) | 2) || proto_varint(octet_length(p_value)) || p_value END;
$$;

CREATE FUNCTION proto_text(p_field integer, p_value text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT proto_bytes(p_field, convert_to(p_value, 'UTF8'));
$$;

-- google.protobuf.Timestamp, to the microsecond.
CREATE FUNCTION proto_moment(p_field integer, p_value timestamptz) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT proto_bytes(p_field,
    proto_number(1, floor(extract(epoch FROM p_value))::bigint) ||
    proto_number(2, ((extract(epoch FROM p_value) - floor(extract(epoch FROM p_value))) * 1000000000)::bigint));
$$;

CREATE FUNCTION proto_environment(p_field integer, p_value text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT proto_number(p_field, CASE p_value WHEN 'sandbox' THEN 1 WHEN 'live' THEN 2 END);
$$;

CREATE FUNCTION wallet_tell_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM outbox_append('reseller.finance.wallet.v1', 'reseller.finance.v1.WalletOpened', NEW.id::text,
    proto_text(1, NEW.id::text) || proto_text(2, NEW.partner_id::text) || proto_environment(3, NEW.environment) ||
    proto_text(4, NEW.currency) || proto_moment(5, NEW.opened_at));
  RETURN NULL;
END $$;

-- A wallet that was there already is not inserted, and so not told of again.
CREATE TRIGGER wallet_opened AFTER INSERT ON wallet FOR EACH ROW EXECUTE FUNCTION wallet_tell_opened();

-- WalletCredited and WalletAdjusted have the same fields.
CREATE FUNCTION wallet_tell_funded() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  w wallet%ROWTYPE;
BEGIN
  SELECT * INTO STRICT w FROM wallet WHERE id = NEW.wallet_id;
  PERFORM outbox_append('reseller.finance.wallet.v1',
    CASE NEW.reference_type WHEN 'Deposit' THEN 'reseller.finance.v1.WalletCredited'
                            ELSE 'reseller.finance.v1.WalletAdjusted' END,
    w.id::text,
    proto_text(1, w.id::text) || proto_text(2, w.partner_id::text) || proto_environment(3, w.environment) ||
    proto_text(4, w.currency) || proto_text(5, NEW.transaction_id::text) || proto_text(6, NEW.amount::text) ||
    proto_text(7, NEW.balance_after::text) || proto_text(8, NEW.notes) || proto_moment(9, NEW.occurred_at));
  RETURN NULL;
END $$;

-- Operators' movements alone: an order's line costs this condition and nothing more.
CREATE TRIGGER ledger_entry_funded AFTER INSERT ON ledger_entry FOR EACH ROW
  WHEN (NEW.wallet_id IS NOT NULL AND NEW.reference_type IN ('Deposit', 'Adjustment'))
  EXECUTE FUNCTION wallet_tell_funded();

CREATE FUNCTION display_rate_tell_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM outbox_append('reseller.finance.rate.v1', 'reseller.finance.v1.DisplayRateSet', NEW.currency,
    proto_text(1, NEW.currency) || proto_text(2, NEW.rate::text) || proto_moment(3, NEW.updated_at));
  RETURN NULL;
END $$;

CREATE TRIGGER display_rate_set AFTER INSERT OR UPDATE ON display_rate
  FOR EACH ROW EXECUTE FUNCTION display_rate_tell_set();
