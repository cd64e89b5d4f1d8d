import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@reseller/testing';
import {
  createVendorSimulation,
  SimulatedDrop,
  SimulatedKeyReuse,
  SimulatedOutage,
  VENDOR_SIMULATION_SQL,
} from '../src';
import type { VendorSimulation, VendorSubmission } from '../src';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

let database: Database;
let delays: number[];
let simulation: VendorSimulation;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase({});
  await database.pool.query(VENDOR_SIMULATION_SQL);
});
afterAll(() => database.drop());

// A restarted vendor keeps nothing but its journal.
function restarted(): VendorSimulation {
  return createVendorSimulation({
    pool: database.pool,
    delay: async (ms) => {
      delays.push(ms);
    },
  });
}
beforeEach(() => {
  delays = [];
  simulation = restarted();
});

function topup(phoneNumber: string, more: Partial<VendorSubmission> = {}): VendorSubmission {
  count += 1;
  return {
    idempotencyKey: `ORD-${count}`,
    product: 'Topup',
    phoneNumber,
    amount: '10.00',
    currency: 'SAR',
    ...more,
  };
}
function esim(email: string): VendorSubmission {
  count += 1;
  return {
    idempotencyKey: `ORD-${count}`,
    product: 'Esim',
    email,
    productSku: 'ESIM-1',
    amount: '35.5',
    currency: 'SAR',
  };
}

describe('an order of any other recipient', () => {
  test('when it is submitted, then it succeeds at once; submitted again, the same is returned and nothing delivered', async () => {
    const order = topup('+966500001234');
    const first = await simulation.submit(order);
    expect(first).toEqual({ kind: 'success', vendorOrderId: expect.stringMatching(/^SIM-/) });
    expect(await restarted().submit({ ...order, amount: '10' })).toEqual(first);
    expect(await simulation.inquire(order.idempotencyKey)).toEqual(first);
    const entry = await simulation.findJournalEntry(order.idempotencyKey);
    expect(entry).toMatchObject({
      state: 'success',
      submissions: 2,
      inquiries: 1,
      amount: '10.00',
      scenario: 'success',
    });
    expect(entry?.deliveredAt).toBeInstanceOf(Date);
  });

  test('when the key comes again with other values, then it is refused and nothing is counted', async () => {
    const order = topup('+966500001234');
    await simulation.submit(order);
    for (const other of [{ amount: '11.00' }, { phoneNumber: '+966500001235' }, { currency: 'USD' }]) {
      await expect(simulation.submit({ ...order, ...other })).rejects.toThrow(SimulatedKeyReuse);
    }
    expect(await simulation.findJournalEntry(order.idempotencyKey)).toMatchObject({ submissions: 1 });
  });

  test('when fifty submissions of one key arrive at once, then it is delivered once and all hear the same', async () => {
    const order = topup('+966500001234');
    const responses = await Promise.all(Array.from({ length: 50 }, () => simulation.submit(order)));
    expect(new Set(responses.map((response) => response.vendorOrderId)).size).toBe(1);
    const { rows } = await database.pool.query(
      'SELECT deliveries, submissions FROM vendor_journal WHERE idempotency_key = $1',
      [order.idempotencyKey],
    );
    expect(rows).toEqual([{ deliveries: 1, submissions: 50 }]);
  });
});

describe('the table of outcomes', () => {
  test('when it is fail, then it is refused with a reason, also on inquiry', async () => {
    const order = topup('+966500000001');
    const response = await simulation.submit(order);
    expect(response).toMatchObject({ kind: 'refused', reason: expect.any(String) });
    expect(await simulation.inquire(order.idempotencyKey)).toEqual(response);
    expect((await simulation.findJournalEntry(order.idempotencyKey))?.deliveredAt).toBeNull();
  });

  test('when it is outage, then three submissions fail over restarts too, inquiries know nothing, and the fourth succeeds', async () => {
    const order = topup('+966500000002');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(restarted().submit(order)).rejects.toThrow(SimulatedOutage);
      expect(await restarted().inquire(order.idempotencyKey)).toEqual({ kind: 'not-found' });
    }
    expect((await simulation.findJournalEntry(order.idempotencyKey))?.deliveredAt).toBeNull();
    expect(await restarted().submit(order)).toMatchObject({ kind: 'success' });
    expect(await simulation.inquire(order.idempotencyKey)).toMatchObject({ kind: 'success' });
  });

  test.each([
    ['+966500000003', 'success'],
    ['+966500000004', 'refused'],
  ])(
    'when %s is pending, then a repeated submission is no poll and the second poll says %s',
    async (phone, verdict) => {
      const order = topup(phone);
      expect(await simulation.submit(order)).toMatchObject({ kind: 'pending' });
      expect(await simulation.submit(order)).toMatchObject({ kind: 'pending' });
      expect(await restarted().inquire(order.idempotencyKey)).toMatchObject({ kind: 'pending' });
      expect(await restarted().inquire(order.idempotencyKey)).toMatchObject({ kind: verdict });
      expect(await restarted().inquire(order.idempotencyKey)).toMatchObject({ kind: verdict });
      expect(await simulation.submit(order)).toMatchObject({ kind: verdict });
    },
  );

  test('when it is unknown, then it stays unknown and an eSIM still has activation data', async () => {
    const order = esim('someone+unknown@example.com');
    expect(await simulation.submit(order)).toMatchObject({ kind: 'unknown' });
    expect(await simulation.inquire(order.idempotencyKey)).toMatchObject({
      kind: 'unknown',
      activation: { iccid: expect.stringMatching(/^\d{20}$/) },
    });
  });

  test('when it is dropped, then it is delivered before the connection is lost, once', async () => {
    const order = topup('+966500000006');
    await expect(simulation.submit(order)).rejects.toThrow(SimulatedDrop);
    const entry = await simulation.findJournalEntry(order.idempotencyKey);
    expect(entry?.deliveredAt).toBeInstanceOf(Date);
    expect(await restarted().inquire(order.idempotencyKey)).toMatchObject({ kind: 'success' });
    expect(await restarted().submit(order)).toMatchObject({
      kind: 'success',
      vendorOrderId: entry?.vendorOrderId,
    });
    expect((await simulation.findJournalEntry(order.idempotencyKey))?.deliveredAt).toEqual(
      entry?.deliveredAt,
    );
  });

  test('when it is slow, then the first response takes three seconds and an abort ends the wait', async () => {
    const order = topup('+966500000007');
    expect(await simulation.submit(order)).toMatchObject({ kind: 'success' });
    expect(delays).toEqual([3000]);
    const waiting = createVendorSimulation({ pool: database.pool });
    const abort = new AbortController();
    const response = waiting.submit(topup('+966500000007'), { signal: abort.signal });
    abort.abort();
    await expect(response).rejects.toThrow(/abort/i);
  });

  test('when an eSIM succeeds, then it has activation data; refused, it has none', async () => {
    expect(await simulation.submit(esim('someone@example.com'))).toMatchObject({
      kind: 'success',
      activation: {
        activationCode: expect.stringMatching(/^LPA:1\$[^$]+\$[^$]+$/),
        smdpAddress: expect.any(String),
      },
    });
    expect(await simulation.submit(esim('someone+fail@example.com'))).not.toHaveProperty('activation');
  });
});

describe('the journal', () => {
  test('when a key was never submitted, then an inquiry says not-found and writes nothing', async () => {
    expect(await simulation.inquire('ORD-never')).toEqual({ kind: 'not-found' });
    expect(await simulation.findJournalEntry('ORD-never')).toBeUndefined();
  });

  test('when a delivery would be counted twice or taken back, then the table refuses', async () => {
    const order = topup('+966500001234');
    await simulation.submit(order);
    const change = (set: string) =>
      database.pool.query(`UPDATE vendor_journal SET ${set} WHERE idempotency_key = $1`, [
        order.idempotencyKey,
      ]);
    await expect(change('deliveries = deliveries + 1')).rejects.toThrow(/check constraint/);
    await expect(change('delivered_at = NULL')).rejects.toThrow(/check constraint/);
  });

  test('when it is read page by page, then every entry comes once, oldest first', async () => {
    const orders = [topup('+966500001234'), topup('+966500000001'), topup('+966500000003')];
    for (const order of orders) await simulation.submit(order);
    const seen: string[] = [];
    for (let afterSeq = '0'; ;) {
      const page = await simulation.listJournal({ afterSeq, limit: 2 });
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...page.map((entry) => entry.idempotencyKey));
      afterSeq = last.seq;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-3)).toEqual(orders.map((order) => order.idempotencyKey));
  });
});
