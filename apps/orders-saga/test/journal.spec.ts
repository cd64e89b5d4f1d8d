import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
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

/** As the version before makes an order: in one statement with its saga. */
const BEFORE = `WITH made AS (
    INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference, request,
      geo_scope_global_id, amount, currency, status, submitted_at)
    VALUES ($1::uuid, $1::text, 's', $1::uuid, 'P', 'live', 'Topup', 'r', '{}', 'GEO-SA', 5, 'SAR', 'Pending', now()) RETURNING id
  ), details AS (
    INSERT INTO topup_orders (order_id, phone_number) SELECT id, '+966500000007' FROM made
  ), saga AS (
    INSERT INTO sagas (order_id, state, lease_owner, lease_epoch, lease_until, wake_at)
    SELECT id, 'Active', 'before', 1, now(), now() FROM made
  )
  INSERT INTO saga_steps (order_id, step, phase, outcome) SELECT id, step, phase, outcome
  FROM made, (VALUES ('order.created', 'result', 'Done'), ('funds.reserve', 'intent', NULL)) AS e (step, phase, outcome)`;

/** As the version before records a move. */
const ADVANCE_BEFORE = `SELECT status, vendor_order_id FROM advance_saga($1, 1, $2, $3, $4, $5, $6, NULL, NULL, NULL, NULL, NULL,
  false, NULL)`;

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

  it('when a step learns of its order what can wait, then the next move writes it, whoever makes that', async () => {
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
    const values = [order.id, 'Processing', 'Completed', {}, '[]', 'Finish'];
    const { rows } = await database.pool.query(ADVANCE_BEFORE, values);
    expect(rows).toEqual([{ status: 'Completed', vendor_order_id: 'V-1' }]);
    expect((await sagas.load(order.id))?.order).toMatchObject(change);
  });

  it('when the version before makes an order and moves it, then this one reads the whole of it, and the other way round', async () => {
    const id = uuidv7();
    await database.pool.query(BEFORE, [id]);
    const steps = [done('funds.reserve'), intent('vendor.submit', { vendor: 'acme' })];
    const change = { vendorName: 'acme' };
    const values = [id, 'Pending', 'Processing', change, JSON.stringify(steps), 'Hold'];
    await database.pool.query(ADVANCE_BEFORE, values);
    const state = await sagas.load(id);
    expect(state?.order).toMatchObject({ vendorName: 'acme', details: { phoneNumber: '+966500000007' } });
    expect(state?.order.vendorSubmittedAt).toBeInstanceOf(Date);
    expect(state?.journal).toEqual([done('order.created'), intent('funds.reserve'), ...steps]);

    const { id: own } = await begin();
    const read = `SELECT phone_number, (SELECT array_agg(step || ' ' || phase ORDER BY seq) FROM saga_steps s WHERE s.order_id = t.order_id) AS steps
      FROM topup_orders t WHERE order_id = $1`;
    const { rows } = await database.pool.query(read, [own]);
    const steps0 = ['order.created result', 'funds.reserve intent'];
    expect(rows).toEqual([{ phone_number: '+966500000001', steps: steps0 }]);
    const again = `INSERT INTO saga_steps (order_id, step, phase) VALUES ($1, 'funds.reserve', 'intent')`;
    for (const order of [id, own]) {
      await expect(database.pool.query(again, [order])).rejects.toMatchObject({ code: '23505' });
    }
  });
});
