import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import type { Order } from '../src/order/domain/order';
import { PRODUCTS } from '../src/products';
import type { JournalEntry } from '../src/saga/domain/journal';
import { SagaRepository } from '../src/saga/saga.repository';
import { newOrder } from './new-order';
import { MIGRATIONS } from './start-orders';

let database: TestDatabase;
let sagas: SagaRepository;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  sagas = new SagaRepository(database.servicePool, { owner: 'one', ms: 60_000 }, PRODUCTS);
});
afterAll(() => database.drop());

async function begin(): Promise<Order> {
  const order = await sagas.begin(newOrder({ request: { phoneNumber: '+966500000001' } }));
  if (!order) throw new Error('the order was not made');
  return order;
}

const intent = (step: string, details: JournalEntry['details'] = null): JournalEntry => ({
  step,
  attempt: 0,
  phase: 'intent',
  outcome: null,
  details,
});
const done = (step: string, details: JournalEntry['details'] = null): JournalEntry => ({
  ...intent(step, details),
  phase: 'result',
  outcome: 'Done',
});

const journalOf = async (id: string): Promise<readonly JournalEntry[]> =>
  (await sagas.load(id))?.journal ?? [];

describe('the journal of a saga', () => {
  it('when moves are recorded, then it holds their entries in order, with what they noted, each at its time', async () => {
    const order = await begin();
    const notes = { 'vendor\nsays': '@ "quoted" \\u0000, 😀', list: [1, null] };
    const entries = [done('funds.reserve', notes), intent('vendor.submit', { vendor: 'simulator' })];
    await sagas.advance({ order, epoch: '1', to: 'Processing', entries, next: 'Hold' });
    const first = [done('order.created'), intent('funds.reserve')];
    expect(await journalOf(order.id)).toEqual([...first, ...entries]);
    const { rows } = await database.pool.query<{ isFresh: boolean; isInOrder: boolean }>(
      `SELECT bool_and(recorded_at BETWEEN o.submitted_at - interval '1 s' AND clock_timestamp()) AS "isFresh",
         array_agg(recorded_at ORDER BY seq) = array_agg(recorded_at ORDER BY recorded_at) AS "isInOrder"
       FROM saga_steps JOIN orders o ON o.id = order_id WHERE order_id = $1`,
      [order.id],
    );
    expect(rows).toEqual([{ isFresh: true, isInOrder: true }]);
  });

  it('when a note holds what the database cannot read, then the rest of it is kept and the journal stays readable', async () => {
    const order = await begin();
    const entries = [done('funds.reserve', { reason: 'a\0b \ud800 c' })];
    await sagas.advance({ order, epoch: '1', to: 'Pending', entries, next: 'Hold' });
    const journal = await journalOf(order.id);
    expect(journal.at(-1)?.details).toEqual({ reason: 'a\uFFFDb \uFFFD c' });
  });

  it('when an intent is on record already, then recording it again changes nothing, though the lease is held', async () => {
    const order = await begin();
    const move = { order, epoch: '1', to: 'Pending', next: 'Hold' } as const;
    expect(await sagas.advance({ ...move, entries: [intent('vendor.submit')] })).toBeDefined();
    const entries = [intent('vendor.submit', { vendor: 'another' })];
    expect(await sagas.advance({ ...move, to: 'Processing', entries })).toBeUndefined();
    const state = await sagas.load(order.id);
    expect(state?.journal).toHaveLength(3);
    expect(state?.order.status).toBe('Pending');
  });

  it('when a step learns of its order what can wait, then the next move writes it', async () => {
    const order = await begin();
    const moved = await sagas.advance({ order, epoch: '1', to: 'Processing', entries: [], next: 'Hold' });
    const change = { vendorOrderId: 'V-1', currentRetryCount: 2 };
    const learned = {
      order: moved!,
      epoch: '1',
      to: 'Processing',
      change,
      entries: [],
      next: 'Hold',
    } as const;
    expect(await sagas.advance(learned)).toMatchObject({ vendorOrderId: null });
    await sagas.advance({ ...learned, change: {} });
    const ended = await sagas.advance({ ...learned, change: {}, to: 'Completed', next: 'Finish' });
    expect(ended).toMatchObject({ status: 'Completed', vendorOrderId: 'V-1' });
    expect((await sagas.load(order.id))?.order).toMatchObject(change);
  });
});
