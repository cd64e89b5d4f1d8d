import { GLOBAL_ID_DIGITS } from './history.sql';
import { withSuperuser } from './with-superuser';

/** Orders that wait for one vendor, of one partner, live, with their money set aside. */
export interface BacklogSeed {
  readonly databases: Readonly<Record<string, string>>;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly vendor: string;
  readonly count: number;
}

const AMOUNT = 5;

/**
 * Puts orders under way that their vendor has accepted an hour ago, with their holds in finance: all but who carries them on,
 * so that nobody does before `makeDue`. Straight into the tables, which needs a superuser, as the local platform's is.
 */
export async function seedBacklog(seed: BacklogSeed): Promise<void> {
  const { databases, partnerId, partnerGlobalId, vendor, count } = seed;
  const keys = await withSuperuser(databases['orders-saga'], async (orders) => {
    await orders.query(ORDERS, [partnerId, partnerGlobalId, vendor, count, AMOUNT]);
    await orders.query('VACUUM (ANALYZE) orders');
    const { rows } = await orders.query<{ key: string }>(
      `SELECT global_id AS key FROM orders WHERE partner_id = $1 AND environment = 'live'`,
      [partnerId],
    );
    return rows.map(({ key }) => key);
  });
  await withSuperuser(databases['finance'], async (finance) => {
    await finance.query(HOLDS, [partnerId, keys, AMOUNT]);
    await finance.query('VACUUM (ANALYZE) reservations');
  });
}

/** Makes all of them due at once, in their vendor's lane. */
export async function makeDue({ databases, partnerId, vendor }: BacklogSeed): Promise<void> {
  await withSuperuser(databases['orders-saga'], async (orders) => {
    await orders.query(SAGAS, [partnerId, `vendor:${vendor}`, JOURNAL]);
    await orders.query('VACUUM (ANALYZE) sagas');
  });
}

const ORDERS = `
  WITH made AS (
    INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
      request, geo_scope_global_id, amount, currency, status, vendor_name, vendor_submitted_at, submitted_at, next_poll_at)
    SELECT id, 'TU-' || ${GLOBAL_ID_DIGITS}, id::text, $1::uuid, $2, 'live', 'Topup', 'backlog-' || n,
      '{"phoneNumber": "+966500009999"}', 'GEO-SA', $5::numeric,
      'SAR', 'Processing', $3, at, at, now()
    FROM (
      SELECT *, ('00' || ('x' || replace(id::text, '-', ''))::bit(128)::text)::bit(130) AS bits
      FROM (SELECT n, now() - interval '1 hour' AS at, uuidv7(interval '-1 hour') AS id FROM generate_series(1, $4::integer) n) AS named
    ) AS seeded
    RETURNING id, partner_id, environment, product, submitted_at, status
  )
  INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*) FROM made GROUP BY 1, 2, 3, 4, 5`;

/** The newest first. */
const JOURNAL = `["vendor.submit",0,null]\n["funds.reserve",0,"Done"]\n["funds.reserve",0,null]\n["order.created",0,"Done"]`;

const SAGAS = `
  INSERT INTO sagas (order_id, state, lease_epoch, wake_at, lane, is_processing_emitted, journal)
  SELECT id, 'Active', 1, now() - interval '1 minute' * random(), $2, true, journal_lines($3) FROM orders
  WHERE partner_id = $1 AND environment = 'live' AND status = 'Processing'`;

const HOLDS = `
  WITH wallet AS (
    UPDATE wallets SET held = held + $3::numeric * cardinality($2::text[])
    WHERE partner_id = $1 AND environment = 'live' RETURNING id
  )
  INSERT INTO reservations (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at)
  SELECT key, wallet.id, $3::numeric, 'active', key, true, 'infinity', 0, now() FROM wallet, unnest($2::text[]) AS key`;
