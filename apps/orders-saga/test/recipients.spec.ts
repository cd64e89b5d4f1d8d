import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import type { ReserveFundsRequest } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import {
  callOf,
  create,
  createEsim,
  esim,
  MIGRATIONS,
  startOrders,
  topup,
  type RunningOrders,
} from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
const instances: RunningOrders[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  finance = await new FakeFinance('1000.00').start();
  for (let n = 0; n < 2; n += 1) instances.push(await startOrders(database, finance));
});
afterAll(async () => {
  for (const instance of instances) await instance.stop();
  await finance.stop();
  await database.drop();
});

/** The last reservation of each order, in the order of the first. */
function reservations(): ReserveFundsRequest[] {
  const byOrder = new Map<string, ReserveFundsRequest>();
  for (const { method, request } of finance.log) {
    if (method !== 'reserveFunds') continue;
    const reservation = request as ReserveFundsRequest;
    byOrder.set(reservation.reservationKey, reservation);
  }
  return [...byOrder.values()];
}

/** Places it as a partner does: an instance that has just started may have no time for it, and the same request is repeated. */
const place: typeof create = (instance, request, call) => eventually(() => create(instance, request, call));

describe('what finance is told of whom an order is for (spec §17.5)', () => {
  it('when instances place orders for the same number, then by one hash; never by the number, and an eSIM’s not at all', async () => {
    const [one, other] = instances;
    if (!one || !other) throw new Error('two instances were to be started');
    const call = callOf();
    const orders = [
      await place(one, topup('1111'), call),
      await place(other, topup('1111'), call),
      await place(one, topup('2222'), call),
      await place(one, topup('1111'), callOf()),
    ];
    await createEsim(one, esim(), call);
    const told = reservations();
    expect(told.slice(0, 4).map(({ submittedAt }) => submittedAt)).toEqual(
      orders.map(({ submittedAt }) => submittedAt),
    );
    const [first, again, another, another2, ofEsim] = told.map(({ recipientHash }) => recipientHash);
    expect(first).toMatch(/^[\w-]{22}$/);
    expect(again).toBe(first);
    expect(new Set([first, another, another2]).size).toBe(3);
    expect(ofEsim).toBeUndefined();
    for (const { phoneNumber } of orders) expect(JSON.stringify(finance.log)).not.toContain(phoneNumber);
  });
});
