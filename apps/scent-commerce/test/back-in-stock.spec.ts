import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, VariantBackInStock } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { eventually, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { notifyRegistrations } from '../src/back-in-stock/notify-registrations';
import { RegistrationRepository } from '../src/back-in-stock/registration.repository';
import type { PrismaClient } from '../src/generated/prisma/client';
import { setStock as setStockIn } from '../src/stock/stock.repository';
import {
  createPrisma,
  createScentDatabase,
  newOwner,
  newVariants,
  ordersOf,
  setOnHand,
} from './scent-database';

let database: TestDatabase;
let prisma: PrismaClient;
let registrations: RegistrationRepository;
beforeAll(async () => {
  database = await createScentDatabase();
  prisma = createPrisma(database.servicePool);
  registrations = new RegistrationRepository(prisma, database.servicePool);
});
afterAll(() => database.drop());

const newVariant = async (onHand: number): Promise<string> =>
  (await newVariants(database.pool, [onHand]))[0] ?? '';
const setStock = (variantId: string, onHand: number) => setOnHand(database.pool, variantId, onHand);

/** The events about a variant, in their order, once all that rose has been seen to. */
async function eventsOf(variantId: string, piece?: number): Promise<VariantBackInStock[]> {
  while (await notifyRegistrations(database.servicePool, piece));
  const { rows } = await database.pool.query<{ payload: Buffer; seq: number }>(
    `SELECT payload, aggregate_seq::int AS seq FROM outbox
     WHERE topic = 'reseller.scent.registration.v1' AND type = 'reseller.scent.v1.VariantBackInStock' AND aggregate_id = $1
     ORDER BY aggregate_seq`,
    [variantId],
  );
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1));
  return rows.map(({ payload }) => VariantBackInStock.decode(payload));
}

describe('back-in-stock registrations', () => {
  it('when a variant comes back, then each Active registration is Notified with one event of its own', async () => {
    const variantId = await newVariant(0);
    const sandbox = newOwner();
    const live = newOwner('live');
    // 128 characters outside the basic plane: a length of more than one byte.
    const customerRef = '🌹'.repeat(128);
    const first = await registrations.register(sandbox, { variantId, customerRef });
    const second = await registrations.register(live, { variantId, customerRef: undefined });
    const cancelled = await registrations.register(sandbox, { variantId, customerRef: 'gone' });
    await registrations.cancel(sandbox, cancelled?.id ?? '');
    await setStock(variantId, 7);
    const sku = first?.sku ?? '';
    const common = { variantId, sku, availableQuantity: 7 };
    expect(await eventsOf(variantId)).toEqual([
      {
        ...common,
        registrationId: second?.id,
        partnerId: live.partnerId,
        environment: Environment.LIVE,
        customerRef: undefined,
      },
      {
        ...common,
        registrationId: first?.id,
        partnerId: sandbox.partnerId,
        environment: Environment.SANDBOX,
        customerRef,
      },
    ]);
    const listed = await registrations.list(sandbox, undefined);
    expect(listed.registrations).toEqual([
      { ...cancelled, status: 'Cancelled' },
      { ...first, status: 'Notified', notifiedAt: expect.any(Date) },
    ]);
    // More of what is there already is no news; the next passage through 0 is for those who registered since.
    await setStock(variantId, 9);
    await setStock(variantId, 0);
    await setStock(variantId, 9);
    expect(await eventsOf(variantId)).toHaveLength(2);
  });

  it.each([1, 127, 128, 16_383, 16_384, 2_147_483_647])(
    'when %i units come in, then the event says so',
    async (onHand) => {
      const variantId = await newVariant(0);
      await registrations.register(newOwner(), { variantId, customerRef: undefined });
      await setStock(variantId, onHand);
      expect(await eventsOf(variantId)).toMatchObject([{ availableQuantity: onHand }]);
    },
  );

  it('when a registration is made in stock, then it waits for the next passage through 0, whatever causes it', async () => {
    const variantId = await newVariant(3);
    const lines = [{ variantId, quantity: 3 }];
    const owner = newOwner();
    const orders = ordersOf(database.servicePool, owner);
    await registrations.register(owner, { variantId, customerRef: undefined });
    const order = randomUUID();
    await orders.begin(order, lines);
    expect(await eventsOf(variantId)).toEqual([]);
    await orders.cancel(order);
    expect(await eventsOf(variantId)).toHaveLength(1);

    // Sold out, and a cancelled group brings units back.
    await registrations.register(owner, { variantId, customerRef: undefined });
    const sold = randomUUID();
    await orders.begin(sold, lines);
    await orders.commit(sold);
    expect(await eventsOf(variantId)).toHaveLength(1);
    await orders.restock(sold, 'group', lines);
    expect(await eventsOf(variantId)).toHaveLength(2);

    // A transaction that fails notifies nobody.
    await setStock(variantId, 0);
    await registrations.register(owner, { variantId, customerRef: undefined });
    const failing = withTransaction(database.pool, async (tx) => {
      await setStockIn(tx, [{ variantId, environment: 'sandbox', onHand: 5 }]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await eventsOf(variantId)).toHaveLength(2);
  });

  it('when one customer registers many times at once, then there is one registration; a cancelled or notified one makes way', async () => {
    const variantId = await newVariant(0);
    const owner = newOwner();
    const register = (customerRef: string | undefined) =>
      registrations.register(owner, { variantId, customerRef });
    for (const customerRef of ['customer', undefined]) {
      const made = await Promise.all(Array.from({ length: 20 }, () => register(customerRef)));
      expect(new Set(made.map((one) => one?.id)).size).toBe(1);
    }
    const [first] = await Promise.all([register('customer'), register('Customer')]);
    expect((await registrations.list(owner, undefined)).totalCount).toBe(3);
    expect(await registrations.cancel(owner, first?.id ?? '')).toEqual({ ...first, status: 'Cancelled' });
    expect(await registrations.cancel(owner, first?.id ?? '')).toEqual({ ...first, status: 'Cancelled' });
    const second = await register('customer');
    expect(second?.id).not.toBe(first?.id);
    await setStock(variantId, 1);
    expect(await eventsOf(variantId)).toHaveLength(3);
    const notified = await registrations.cancel(owner, second?.id ?? '');
    expect(notified).toMatchObject({ id: second?.id, status: 'Notified', notifiedAt: expect.any(Date) });
    expect(await register('customer')).toMatchObject({ status: 'Active', notifiedAt: null });
  });

  it('when a variant is unknown or inactive, or the registration another’s, then it is not there', async () => {
    const variantId = await newVariant(0);
    const owner = newOwner();
    const own = await registrations.register(owner, { variantId, customerRef: undefined });
    await database.pool.query('UPDATE variants SET is_active = false WHERE id = $1', [variantId]);
    for (const id of [variantId, randomUUID()])
      expect(await registrations.register(owner, { variantId: id, customerRef: undefined })).toBeUndefined();
    for (const other of [newOwner(), { ...owner, environment: 'live' as const }]) {
      expect(await registrations.cancel(other, own?.id ?? '')).toBeUndefined();
      expect((await registrations.list(other, undefined)).totalCount).toBe(0);
    }
  });

  it('when a registration comes while the stock is rising, then it waits, and is for the next rise; one that came first is notified', async () => {
    const variantId = await newVariant(0);
    const owner = newOwner();
    const rising = await database.pool.connect();
    await rising.query('BEGIN');
    await setStockIn(rising, [{ variantId, environment: 'sandbox', onHand: 1 }]);
    const late = registrations.register(owner, { variantId, customerRef: undefined });
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    });
    await rising.query('COMMIT');
    rising.release();
    expect(await late).toMatchObject({ status: 'Active' });
    expect(await eventsOf(variantId)).toEqual([]);

    await setStock(variantId, 0);
    const registering = await database.pool.connect();
    await registering.query('BEGIN');
    await new RegistrationRepository(prisma, registering).register(owner, {
      variantId,
      customerRef: 'first',
    });
    const rise = setStock(variantId, 2);
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    });
    await registering.query('COMMIT');
    registering.release();
    await rise;
    expect(await eventsOf(variantId)).toHaveLength(2);
  });

  it('when a variant is off sale, then it notifies nobody until it is back on sale with stock', async () => {
    const variantId = await newVariant(0);
    await registrations.register(newOwner(), { variantId, customerRef: undefined });
    const putOnSale = (isActive: boolean) =>
      database.pool.query('UPDATE variants SET is_active = $2 WHERE id = $1', [variantId, isActive]);
    await putOnSale(false);
    await setStock(variantId, 3);
    expect(await eventsOf(variantId)).toEqual([]);
    await putOnSale(true);
    expect(await eventsOf(variantId)).toMatchObject([{ availableQuantity: 3 }]);
  });
});
