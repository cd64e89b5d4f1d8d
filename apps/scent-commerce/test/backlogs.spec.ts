import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { rowsRead, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { shopBacklogs } from '../src/backlog/backlogs';
import { createShopDatabase } from './shop-database';

const DAY_MS = 86_400_000;
const BACKLOGS = shopBacklogs({ locksKeptMs: 30 * DAY_MS });
let database: TestDatabase;

beforeAll(async () => {
  database = await createShopDatabase();
  await database.pool.query(
    `INSERT INTO stock_holds (order_key, state, expires_at, ended_at)
     SELECT 'o-' || n, 'Taken', 'infinity', now() FROM generate_series(1, 20000) n;
     INSERT INTO stock_holds (order_key, state, expires_at)
     VALUES ('late', 'Active', now() - interval '20 minutes'), ('fine', 'Active', now() + interval '20 minutes'),
       ('pinned', 'Active', 'infinity');
     INSERT INTO carts (id, partner_id, environment) VALUES ('00000000-0000-7000-8000-000000000001', uuidv7(), 'live');
     INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, expires_at)
     SELECT uuidv7(), 'live', '00000000-0000-7000-8000-000000000001', 1, '{}', now() - n * interval '1 second' FROM generate_series(1, 20000) n;
     INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, expires_at)
     VALUES (uuidv7(), 'live', '00000000-0000-7000-8000-000000000001', 1, '{}', now() - interval '31 days');
     ANALYZE`,
  );
}, 60_000);
afterAll(() => database.drop());

describe('what scent-commerce shows of what waits', () => {
  it('when a hold or a lock is past its time, then it shows', async () => {
    const metrics = new Registry();
    observeBacklogs({ pool: database.pool, metrics, log: silentLog }, BACKLOGS);
    const text = await metrics.metrics();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    expect(valueOf('stock_holds_lapsed')).toBe(1);
    expect(Math.round(valueOf('stock_hold_lapsed_oldest_seconds') / 60)).toBe(20);
    expect(Math.round((valueOf('price_lock_deletion_overdue_seconds') * 1_000) / DAY_MS)).toBe(1);
  });

  it('when much is over, then only what is late is read', async () => {
    for (const { name, statement, values } of BACKLOGS)
      expect([name, (await rowsRead(database.pool, statement, values)) < 10]).toEqual([name, true]);
  });
});
