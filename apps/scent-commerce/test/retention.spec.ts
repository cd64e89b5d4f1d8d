import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeExpired } from '@reseller/database';
import { silentLog, type TestDatabase } from '@reseller/testing';
import { retentionRules } from '../src/retention';
import { createScentDatabase } from './scent-database';

const DAY_MS = 86_400_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createScentDatabase();
});
afterAll(() => database.drop());

const removeOld = (): Promise<boolean> =>
  removeExpired(
    retentionRules({
      OUTBOX_RETENTION_MS: DAY_MS,
      INBOX_RETENTION_MS: 14 * DAY_MS,
      DEAD_LETTER_RETENTION_DAYS: 90,
      RECONCILIATION_RETENTION_MS: 90 * DAY_MS,
      CART_RETENTION_MS: 90 * DAY_MS,
      PRICE_LOCK_RETENTION_MS: 30 * DAY_MS,
      PRICE_CHANGE_RETENTION_MS: 400 * DAY_MS,
      REGISTRATION_RETENTION_MS: 400 * DAY_MS,
    }),
    { pool: database.servicePool, log: silentLog },
  );

describe('what scent-commerce forgets', () => {
  it('when a cart was abandoned long ago, then it goes with its locks, unless an order once tried to check it out', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO carts (partner_id, environment, status, touched_at)
       SELECT uuidv7(), 'live', status, now() - days * interval '1 day'
       FROM (VALUES (1, 'Abandoned', 91), (2, 'Abandoned', 89), (3, 'Open', 91), (4, 'Abandoned', 91)) AS v (n, status, days) ORDER BY n
       RETURNING id`,
    );
    const [old, younger, open, tried] = rows.map(({ id }) => id);
    await database.pool.query(
      `INSERT INTO checkouts (order_key, partner_id, environment, state, cart_id) VALUES ('o-1', uuidv7(), 'live', 'Cancelled', $1)`,
      [tried],
    );
    for (const [id, days] of [
      [old, 1],
      [younger, 31],
      [younger, 29],
    ])
      await database.pool.query(
        `INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, expires_at)
         VALUES (uuidv7(), 'live', $1, 1, '{}', now() - $2::int * interval '1 day')`,
        [id, days],
      );
    await removeOld();
    const left = await database.pool.query<{ id: string }>('SELECT id FROM carts');
    expect(left.rows.map(({ id }) => id).sort()).toEqual([younger, open, tried].sort());
    const locks = await database.pool.query('SELECT cart_id AS id FROM price_locks');
    expect(locks.rows).toEqual([{ id: younger }]);
  });
});
