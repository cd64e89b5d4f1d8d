import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, rowsRead, type TestDatabase } from '@reseller/testing';
import { PRODUCTS } from '../src/products';
import { CLAIM_DUE } from '../src/saga/claim.sql';
import { SagaRepository } from '../src/saga/saga.repository';
import { MIGRATIONS } from './start-orders';

const BACKLOG = 180_000;
const LEASE_MS = 60_000;
let database: TestDatabase;
let sagas: SagaRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  sagas = new SagaRepository(database.servicePool, { owner: 'one', ms: LEASE_MS }, PRODUCTS);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE sagas'));

/** Orders that are due in a lane, the first for so many seconds, each a second less than the one before. */
async function addDue(lane: string, count: number, seconds = count): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO sagas (order_id, state, lease_epoch, wake_at, lane)
     SELECT uuidv7(), 'Active', 1, now() - ($3::integer - n) * interval '1 second', $1 FROM generate_series(0, $2::integer - 1) n
     RETURNING order_id AS id`,
    [lane, count, seconds],
  );
  return rows.map(({ id }) => id);
}

describe('claims of what is due', () => {
  it(`when ${BACKLOG} orders of one vendor are due, then a claim reads some dozens by index, of this lane and of others`, async () => {
    await addDue('vendor:slow', BACKLOG);
    await addDue('settlement', 3);
    await addDue('vendor:quick', 3);
    // As found by a planner that knows the backlog, and by one that has no statistics of it.
    const claim = (): Promise<number> =>
      rowsRead(database.pool, CLAIM_DUE, [20, 'one', LEASE_MS, ['settlement'], [20]]);
    expect(await claim()).toBeLessThan(200);
    await addDue('settlement', 3);
    await database.pool.query('VACUUM (ANALYZE) sagas');
    expect(await claim()).toBeLessThan(200);
  });

  it('when a lane has a backlog, then a claim takes those due longest and those that came due last, and no more than there is room', async () => {
    const due = await addDue('vendor:slow', 100);
    const settled = await addDue('settlement', 1);
    const free = [
      { lane: 'vendor:slow', slots: 4 },
      { lane: 'settlement', slots: 4 },
    ];
    const grants = await sagas.claimDue(free, 4, 'one', LEASE_MS);
    const inLane = (name: string) => grants.filter(({ lane }) => lane === name).map(({ orderId }) => orderId);
    expect(new Set(inLane('vendor:slow'))).toEqual(new Set([due[0], due[1], due[98], due[99]]));
    expect(inLane('settlement')).toEqual(settled);
  });

  it('when a lane is full, then none of it is claimed, and of a lane that nobody named as many as are allowed', async () => {
    await addDue('vendor:slow', 10);
    await addDue('vendor:gone', 10);
    const grants = await sagas.claimDue([{ lane: 'vendor:slow', slots: 0 }], 3, 'one', LEASE_MS);
    expect(grants.map(({ lane }) => lane)).toEqual(Array.from({ length: 3 }, () => 'vendor:gone'));
  });
});
