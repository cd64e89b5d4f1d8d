import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { rowsRead, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { priceLockBacklog } from '../src/price-lock/price-lock.backlog';
import { createScentDatabase } from './scent-database';

const DAY_MS = 86_400_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createScentDatabase();
  await database.pool.query(
    `INSERT INTO carts (id, partner_id, environment) VALUES ('00000000-0000-7000-8000-000000000001', uuidv7(), 'live');
     INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, expires_at)
     SELECT uuidv7(), 'live', '00000000-0000-7000-8000-000000000001', 1, '{}', now() - n * interval '1 second' FROM generate_series(1, 20000) n;
     INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, expires_at)
     VALUES (uuidv7(), 'live', '00000000-0000-7000-8000-000000000001', 1, '{}', now() - interval '31 days');
     ANALYZE`,
  );
});
afterAll(() => database.drop());

const backlog = priceLockBacklog(30 * 86_400_000);

describe('what scent-commerce measures of what is overdue', () => {
  it('when a lock is kept past its time, then it is measured', async () => {
    const metrics = new Registry();
    observeBacklogs({ pool: database.servicePool, metrics, log: silentLog }, [backlog]);
    const text = await metrics.metrics();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    expect(Math.round((valueOf('price_lock_deletion_overdue_seconds') * 1_000) / DAY_MS)).toBe(1);
  });

  it('when much is over, then only what is late is read', async () => {
    const { statement, values } = backlog;
    expect(await rowsRead(database.pool, statement, values)).toBeLessThan(10);
  });
});
