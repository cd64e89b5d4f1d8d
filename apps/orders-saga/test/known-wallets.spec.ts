import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { FundsServiceService, OrderStatus } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { callOf, create, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

/** As long as any test takes. */
const KNOWN = { FUNDS_CHECK_AFTER_MS: '60000' };

let database: TestDatabase;
let finance: FakeFinance;
let service: RunningOrders;
let call: CallContext;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('100.00', { currency: 'USD', rate: '0.266600' }).start();
  service = await startOrders(database, finance, KNOWN);
  call = callOf();
  await create(service, topup(), call);
  expect(finance.calls['checkFunds']).toBe(1);
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
});
afterAll(() => database.drop());

const ordersOf = async (): Promise<number> => {
  const { rows } = await database.pool.query('SELECT FROM orders WHERE partner_id = $1', [
    call.partner?.partnerId,
  ]);
  return rows.length;
};

describe('a wallet whose last reservation succeeded', () => {
  it('when its next order comes, then finance is called for the reservation and the capture alone', async () => {
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.COMPLETED, displayRate: { rate: '0.266600' } });
    expect(finance.calls).toEqual({ checkFunds: 1, reserveFunds: 2, captureFunds: 2 });
  });

  it.each([{ currency: 'USD', rate: '0.277700' }, { currency: 'EUR', rate: '0.266600' }, undefined])(
    'when the rate has become %j, then its next order freezes that one, and is charged once',
    async (rate) => {
      finance.setDisplayRate(rate);
      const order = await create(service, topup(), call);
      expect(order).toMatchObject({ status: OrderStatus.COMPLETED });
      expect(order.displayRate).toEqual(rate);
      expect(finance.calls).toMatchObject({ checkFunds: 1, releaseFunds: 1 });
      expect([finance.available(), finance.charges(), await ordersOf()]).toEqual(['80.00', 2, 2]);
    },
  );

  it('when a reference comes again, then it is answered before the rules, with the order or with what differs', async () => {
    const request = topup();
    const order = await create(service, request, call);
    expect(await create(service, request, call)).toEqual(order);
    await expect(create(service, { ...request, amount: '0.01' }, call)).rejects.toMatchObject({
      code: 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    });
    await expect(create(service, topup('0000', { amount: '0.01' }), call)).rejects.toMatchObject({
      code: 'BUSINESS_AMOUNT_OUT_OF_RANGE',
    });
    expect([finance.charges(), await ordersOf()]).toEqual([2, 2]);
  });

  it('when the money is gone, then its next order is refused by the reservation, and the one after that by a check', async () => {
    await create(service, topup('9999', { amount: '90.00' }), call);
    for (const checks of [1, 2]) {
      await expect(create(service, topup(), call)).rejects.toMatchObject({
        code: 'BUSINESS_INSUFFICIENT_BALANCE',
      });
      expect(finance.calls).toMatchObject({ checkFunds: checks, reserveFunds: 3 });
    }
    expect(await ordersOf()).toBe(2);
  });

  it('when finance has gone away, then one order stays to be carried on, and nothing is made of the next', async () => {
    const brief = await startOrders(
      database,
      finance,
      { SAGA_BUDGET_MS: '1500', ...KNOWN },
      { withRecovery: false },
    );
    await create(brief, topup(), call);
    for (const method of ['reserveFunds', 'checkFunds']) finance.fail(method, 'SERVICE_UNAVAILABLE');
    for (const checks of [2, 3]) {
      await expect(create(brief, topup(), call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect([finance.calls['checkFunds'], await ordersOf()]).toEqual([checks, 3]);
    }
    await brief.stop();
  });

  it('when finance has said nothing for a while, then its next order is checked, and nothing is made where finance is away', async () => {
    const careful = await startOrders(database, finance, {
      SAGA_BUDGET_MS: '1500',
      FUNDS_CHECK_AFTER_MS: '1',
    });
    await create(careful, topup(), call);
    for (const method of ['reserveFunds', 'checkFunds']) finance.fail(method, 'SERVICE_UNAVAILABLE');
    await expect(create(careful, topup(), call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await ordersOf()).toBe(2);
    await careful.stop();
  });

  it('when finance does not say the rate, as the version before does not, then every order is checked', async () => {
    const handlers = finance.handlers(FundsServiceService);
    const reserve = handlers.reserveFunds;
    handlers.reserveFunds = async (request, context) => ({
      ...(await reserve(request, context)),
      hasDisplayRate: false,
      displayRate: undefined,
    });
    for (const checks of [1, 2, 3]) {
      await create(service, topup(), call);
      expect(finance.calls).toMatchObject({ checkFunds: checks });
    }
  });
});
