import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createPrismaAdapter } from '@reseller/database';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { PrismaClient } from '../src/generated/prisma/client';
import type { OrderStatus } from '../src/order/domain/order';
import { PRODUCTS } from '../src/products';
import { OrderTaskRepository } from '../src/products/scent/fulfillment/order-task.repository';
import type { Grant } from '../src/saga/lease.repository';
import { OwnerRepository } from '../src/saga/owner.repository';
import { SagaRepository, type Advance } from '../src/saga/saga.repository';
import { newOrder } from './new-order';
import { MIGRATIONS } from './start-orders';

const LEASE_MS = 60_000;
let database: TestDatabase;
let sagas: SagaRepository;
let owners: OwnerRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  owners = ownersAt(database.url);
  sagas = new SagaRepository(database.servicePool, { owner: 'one', ms: LEASE_MS }, PRODUCTS);
});
afterAll(async () => {
  await owners.close();
  await database.drop();
});

const ownersAt = (connectionString: string, leaseMs = LEASE_MS): OwnerRepository =>
  new OwnerRepository(database.servicePool, { connectionString, leaseMs, log: silentLog });

async function begin(): Promise<string> {
  const order = newOrder();
  await sagas.begin(order);
  return order.id;
}

const lapse = (id: string) =>
  database.pool.query('UPDATE sagas SET lease_until = now(), wake_at = now() WHERE order_id = $1', [id]);

const stateOf = async (id: string) =>
  (
    await database.pool.query(
      `SELECT to_jsonb(o) AS o, to_jsonb(s) AS s, (SELECT count(*) FROM saga_steps j WHERE j.order_id = o.id) AS n
       FROM orders o JOIN sagas s ON s.order_id = o.id WHERE o.id = $1`,
      [id],
    )
  ).rows;

const suspend = (orderId: string, epoch: string): Advance => ({
  order: { id: orderId, status: 'Pending', details: {} },
  epoch,
  to: 'Pending',
  entries: [
    { step: 'vendor.response', attempt: Number(epoch), phase: 'result', outcome: 'Failed', details: null },
  ],
  next: 'Suspend',
  wakeMs: 1,
});

/** An operator cancels an order of this status. */
const cancel = (
  id: string,
  status: OrderStatus = 'Pending',
  write?: () => Promise<void>,
): Promise<Grant | undefined> =>
  sagas.decide(
    { id, status },
    { owner: 'three', leaseMs: LEASE_MS },
    (_state, epoch) => ({
      ...suspend(id, epoch),
      ...{ to: 'Cancelled', next: 'Hold' },
      entries: [{ step: 'operator.cancel', attempt: 0, phase: 'intent', outcome: null, details: {} }],
    }),
    write,
  );

describe('a lease that another process has taken over', () => {
  it('when its former holder writes, then nothing changes, though the order is as it was', async () => {
    const id = await begin();
    await lapse(id);
    expect(await sagas.takeLapsed(id, 'two', LEASE_MS)).toMatchObject({ epoch: '2', attempts: 1 });
    const before = await stateOf(id);
    expect(await sagas.advance(suspend(id, '1'))).toBeUndefined();
    expect(await sagas.withdraw(id, '1')).toBe(false);
    expect(await owners.renewLeases([{ orderId: id, epoch: '1' }], LEASE_MS)).toEqual(new Map());
    expect(await stateOf(id)).toEqual(before);
    expect(await owners.renewLeases([{ orderId: id, epoch: '2' }], LEASE_MS)).toEqual(new Map([[id, true]]));
    expect(await sagas.advance(suspend(id, '2'))).toMatchObject({ status: 'Pending' });
  });

  it('when the holder writes from another status than the order has, then nothing changes', async () => {
    const id = await begin();
    const before = await stateOf(id);
    expect(
      await sagas.advance({
        ...suspend(id, '1'),
        order: { id, status: 'Processing', details: {} },
        to: 'Processing',
      }),
    ).toBeUndefined();
    expect(await stateOf(id)).toEqual(before);
  });

  it('when it has not lapsed, then nobody takes it but an operator, and that only once', async () => {
    const id = await begin();
    expect(await sagas.takeLapsed(id, 'two', LEASE_MS)).toBeUndefined();
    expect(await cancel(id)).toMatchObject({ epoch: '2' });
    expect(await stateOf(id)).toMatchObject([{ o: { status: 'Cancelled' } }]);
    expect(await cancel(id)).toBeUndefined();
    expect(await cancel(id, 'Cancelled')).toBeUndefined();
  });

  it('when what is recorded with an operator’s decision is refused, then the order stays as it was, and with whom it was', async () => {
    const id = await begin();
    const before = await stateOf(id);
    const refused = () => Promise.reject(new Error('it may not be approved any more'));
    await expect(cancel(id, 'Pending', refused)).rejects.toThrow('not be approved');
    expect(await stateOf(id)).toEqual(before);
    expect(await sagas.advance(suspend(id, '1'))).toMatchObject({ status: 'Pending' });
  });

  it('when a fenced driver writes in one batch with its successor, then only the successor is answered', async () => {
    const id = await begin();
    await lapse(id);
    await sagas.takeLapsed(id, 'two', LEASE_MS);
    const [late, current] = await Promise.all([
      sagas.advance({ ...suspend(id, '1'), entries: [] }),
      sagas.advance(suspend(id, '2')),
    ]);
    expect(late).toBeUndefined();
    expect(current).toMatchObject({ id });
  });

  it('when the connection that renews goes dead without a word, then that shows while its leases can still be renewed', async () => {
    const leaseMs = 4_000;
    const [id, line] = [await begin(), await relayTo(database.url)];
    const relayed = ownersAt(line.url, leaseMs);
    const renew = () => relayed.renewLeases([{ orderId: id, epoch: '1' }], leaseMs);
    try {
      expect((await renew()).get(id)).toBe(true);
      line.cutOff();
      const startedAt = performance.now();
      await expect(renew()).rejects.toThrow('Connection terminated');
      expect(performance.now() - startedAt).toBeLessThan(leaseMs / 2);
      expect((await renew()).get(id)).toBe(true);
    } finally {
      await relayed.close();
      line.close();
    }
  });

  it('when somebody holds a saga for long, then only its own lease and move wait', async () => {
    const [held, other] = [await begin(), await begin()];
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM sagas WHERE order_id = $1 FOR NO KEY UPDATE', [held]);
      const leases = [held, other].map((orderId) => ({ orderId, epoch: '1' }));
      const renewed = await owners.renewLeases(leases, LEASE_MS);
      expect(renewed).toEqual(
        new Map([
          [held, false],
          [other, true],
        ]),
      );
      const waiting = sagas.advance(suspend(held, '1'));
      expect(await sagas.advance(suspend(other, '1'))).toMatchObject({ id: other });
      await holder.query('COMMIT');
      expect(await waiting).toMatchObject({ id: held });
    } finally {
      holder.release(true);
    }
  });

  it('when its service was only away in between, then failures are counted anew (spec §4.7)', async () => {
    const id = await begin();
    const grant: Grant = { orderId: id, epoch: '1', attempts: 0, isProcessingEmitted: false, origin: null };
    const fail = () => sagas.noteFailure(grant, 'funds.capture#0');
    expect([await fail(), await fail()]).toMatchObject([{ failures: 1 }, { failures: 2 }]);
    await sagas.forgetFailures({ ...grant, epoch: '2' });
    expect(await fail()).toMatchObject({ failures: 3 });
    await sagas.forgetFailures(grant);
    expect(await fail()).toMatchObject({ failures: 1 });
  });

  it('when an order is withdrawn, then no trace of it is left', async () => {
    const id = await begin();
    expect(await sagas.withdraw(id, '1')).toBe(true);
    for (const [table, column] of [
      ['orders', 'id'],
      ['sagas', 'order_id'],
      ['saga_steps', 'order_id'],
    ]) {
      const { rowCount } = await database.pool.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id]);
      expect(rowCount).toBe(0);
    }
  });

  it('when several claim what is due at once, then each saga is claimed by one', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, begin));
    await Promise.all(ids.map(lapse));
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd'].map((owner) => sagas.claimDue([], 10, owner, LEASE_MS)),
    );
    const claimed = claims.flat().map(({ orderId }) => orderId);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed).toEqual(expect.arrayContaining(ids.slice(0, 1)));
  });
});

it('when its owner has taken a task again since, then what is left of the first try changes nothing', async () => {
  const id = uuidv7();
  // A task without the order that it is about.
  await database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO order_tasks (id, order_id, kind, subject_id, operator, journal_attempt)
      VALUES ('${id}', '${uuidv7()}', 'cancel-group', '${uuidv7()}', 'Olga', 0); COMMIT`);
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(database.servicePool) });
  const tasks = new OrderTaskRepository(database.servicePool, prisma, { owner: 'one', ms: 0 });
  const [first, second] = [(await tasks.claim(id))!, (await tasks.claim(id))!];
  expect(await tasks.noteFailure(first, 'INTERNAL_ERROR')).toBeUndefined();
  await tasks.park(first);
  await tasks.postpone(first, 60_000, false);
  expect(await tasks.noteFailure(second, 'INTERNAL_ERROR')).toMatchObject({ failures: 1 });
  await tasks.park(second);
  expect(await tasks.claimDue(9)).toEqual([]);
  await prisma.$disconnect();
});

/** Another address of a database; what the connections of that moment are sent back is lost once they are cut off. */
async function relayTo(
  connectionString: string,
): Promise<{ url: string; cutOff: () => void; close: () => void }> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(connectionString);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutOff: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
