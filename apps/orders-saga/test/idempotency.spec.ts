import { describe, expect, it } from '@jest/globals';
import { Environment, OrderStatus } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { callOf, create, startOrders, topup } from './start-orders';
import { ordersOf, useOrders } from './use-orders';

const stage = useOrders({ deposit: '100.00' });

describe('the external reference as idempotency key (spec §4.2)', () => {
  it('when fifty identical creates arrive at once, then there is one order, one charge and one vendor call', async () => {
    const call = callOf();
    const request = topup();
    const fifty = Array.from({ length: 50 }, () => create(stage.service, request, call));
    const responses = await Promise.all(fifty);
    expect(new Set(responses.map(({ orderId }) => orderId)).size).toBe(1);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await ordersOf(stage, call)).toBe(1);
    expect(stage.finance.charges()).toBe(1);
    expect(stage.finance.available()).toBe('90.00');
    const entry = await stage.service.simulation.findJournalEntry(responses[0]!.orderGlobalId);
    expect(entry).toMatchObject({ submissions: 1, inquiries: 0 });
  });

  it('when two instances get the same creates at once, then there is still one of everything', async () => {
    const other = await startOrders(stage.database, stage.finance);
    const call = callOf();
    const request = topup();
    const both = Array.from({ length: 20 }, (_, n) => create(n % 2 ? other : stage.service, request, call));
    const responses = await Promise.all(both);
    await other.stop();
    expect(new Set(responses.map(({ orderId }) => orderId)).size).toBe(1);
    expect(stage.finance.charges()).toBe(1);
  });

  it('when a finished order is repeated with an empty wallet, then the original is returned', async () => {
    const call = callOf();
    const request = topup('9999', { amount: '100.00' });
    const first = await create(stage.service, request, call);
    expect(stage.finance.available()).toBe('0.00');
    expect(await create(stage.service, { ...request, amount: '100' }, call)).toEqual(first);
  });

  it('when the same reference comes with another body, then every field that differs is named', async () => {
    const call = callOf();
    const request = topup('9999', { sagaId: 'mine' });
    await create(stage.service, request, call);
    const other = { ...request, amount: '11', phoneNumber: '+966500001234', sagaId: undefined };
    await expect(create(stage.service, other, call)).rejects.toMatchObject({
      code: 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      details: { mismatchedFields: ['amount', 'phoneNumber', 'sagaId'] },
    });
    const elsewhere = { ...request, geoScopeGlobalId: 'GEO-XX', amount: '1' };
    await expect(create(stage.service, elsewhere, call)).rejects.toMatchObject({
      details: { mismatchedFields: ['amount', 'geoScopeGlobalId'] },
    });
  });

  it('when the responses of reserve and capture are lost after their effect, then the order still has one charge', async () => {
    stage.finance.fail('reserveFunds', 'lost-reply', 2);
    stage.finance.fail('captureFunds', 'lost-reply', 2);
    const order = await create(stage.service, topup(), callOf());
    expect(order.status).toBe(OrderStatus.COMPLETED);
    expect(stage.finance.available()).toBe('90.00');
  });

  it('when another partner or environment uses the same reference, then it is another order', async () => {
    const call = callOf();
    const request = topup();
    const first = await create(stage.service, request, call);
    expect((await create(stage.service, request, callOf())).orderId).not.toBe(first.orderId);
    const live = callOf(call.partner?.partnerId, Environment.LIVE);
    await expect(create(stage.service, request, live)).rejects.toMatchObject({
      code: 'BUSINESS_PRODUCT_UNAVAILABLE',
    });
  });

  it('when a duplicate meets a running attempt that ends in time, then it returns the same order', async () => {
    const call = callOf();
    const request = topup();
    const open = stage.finance.hold('captureFunds');
    const first = create(stage.service, request, call);
    await eventually(() => expect(stage.finance.calls['captureFunds']).toBeGreaterThan(0));
    const second = create(stage.service, request, call);
    open();
    expect(await second).toEqual(await first);
    expect(stage.finance.charges()).toBe(1);
  });

  it('when the money is gone by the time a duplicate is checked, then it returns the order that took it', async () => {
    const call = callOf();
    const request = topup('9999', { amount: '100.00' });
    const openFirst = stage.finance.hold('checkFunds');
    const first = create(stage.service, request, call);
    await eventually(() => expect(stage.finance.calls['checkFunds']).toBe(1));
    const openSecond = stage.finance.hold('checkFunds');
    const second = create(stage.service, request, call);
    await eventually(() => expect(stage.finance.calls['checkFunds']).toBe(2));
    openFirst();
    const order = await first;
    openSecond();
    expect(await second).toEqual(order);
  });

  it('when a duplicate meets one that goes on, then it hears 409 with the order and when to come again', async () => {
    const impatient = await startOrders(stage.database, stage.finance, { DUPLICATE_WAIT_MS: '200' });
    const call = callOf();
    const request = topup();
    const open = stage.finance.hold('captureFunds');
    const first = create(stage.service, request, call);
    await eventually(() => expect(stage.finance.calls['captureFunds']).toBeGreaterThan(0));
    const failure = await create(impatient, request, call).catch((error: unknown) => error);
    open();
    await impatient.stop();
    expect(failure).toMatchObject({
      code: 'CONFLICT_ORDER_IN_PROGRESS',
      details: { orderId: (await first).orderId, retryAfterSeconds: 2 },
    });
  });

  it('when the vendor left the first attempt pending, then a duplicate never returns Processing with 200', async () => {
    await stage.restart({ VENDOR_POLL_BASE_MS: '60000', DUPLICATE_WAIT_MS: '200' });
    const call = callOf();
    const request = topup('0003');
    expect((await create(stage.service, request, call)).status).toBe(OrderStatus.PROCESSING);
    await expect(create(stage.service, request, call)).rejects.toMatchObject({
      code: 'CONFLICT_ORDER_IN_PROGRESS',
    });
  });

  it('when the balance is short only at the reservation, then nothing is left and the reference is free', async () => {
    const call = callOf();
    const other = callOf();
    const request = topup('9999', { amount: '60.00' });
    const open = stage.finance.hold('reserveFunds');
    const both = [create(stage.service, request, call), create(stage.service, { ...request }, other)];
    await eventually(() => expect(stage.finance.calls['reserveFunds']).toBe(2));
    open();
    const results = await Promise.allSettled(both);
    const refused = results.findIndex(({ status }) => status === 'rejected');
    expect(results[refused]).toMatchObject({ reason: { code: 'BUSINESS_INSUFFICIENT_BALANCE' } });
    const loser = [call, other][refused]!;
    expect(await ordersOf(stage, loser)).toBe(0);
    await expect(
      stage.service.topups.getTopupOrderByReference({ externalReference: request.externalReference }, loser),
    ).rejects.toMatchObject({ code: 'NOT_FOUND_TOPUP_ORDER' });
    const again = await create(stage.service, { ...request, amount: '40' }, loser);
    expect(again.status).toBe(OrderStatus.COMPLETED);
    expect(stage.finance.available()).toBe('0.00');
  });

  it('when the attempt a duplicate waits for is withdrawn, then the duplicate is the new attempt', async () => {
    const call = callOf();
    const request = topup('9999', { amount: '60.00' });
    const openReserve = stage.finance.hold('reserveFunds');
    const first = create(stage.service, request, call).catch((error: unknown) => error);
    await eventually(() => expect(stage.finance.calls['reserveFunds']).toBeGreaterThan(0));
    const openCheck = stage.finance.hold('checkFunds');
    const second = create(stage.service, request, call);
    const takeAway = stage.finance.put('elsewhere', { amount: '50.00', state: 'held' });
    openReserve();
    expect(await first).toMatchObject({ code: 'BUSINESS_INSUFFICIENT_BALANCE' });
    takeAway();
    openCheck();
    expect((await second).status).toBe(OrderStatus.COMPLETED);
    expect(await ordersOf(stage, call)).toBe(1);
  });
});

describe('what is refused by rule', () => {
  it.each([
    ['an unknown geo scope', { geoScopeGlobalId: 'GEO-XX' }, 'BUSINESS_GEO_SCOPE_UNAVAILABLE'],
    ['an amount below the limit', { amount: '4.99' }, 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
    ['an amount above the limit', { amount: '500.01' }, 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
    ['a number of another country', { phoneNumber: '+971500000001' }, 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
    ['a charge above the balance', { amount: '100.01' }, 'BUSINESS_INSUFFICIENT_BALANCE'],
  ])('when it is %s, then the code says so and the reference stays free', async (_, change, code) => {
    const call = callOf();
    const request = topup();
    await expect(create(stage.service, { ...request, ...change }, call)).rejects.toMatchObject({ code });
    expect(await ordersOf(stage, call)).toBe(0);
    expect((await create(stage.service, request, call)).status).toBe(OrderStatus.COMPLETED);
  });
});

describe('no wallet (spec §1.9)', () => {
  it.each([{}, { geoScopeGlobalId: 'GEO-XX' }, { amount: '4.99' }, { phoneNumber: '+971500000001' }])(
    'when %j is asked, then NOT_FOUND_WALLET goes before the rules and the reference stays free',
    async (change) => {
      const call = callOf();
      const request = topup();
      stage.finance.fail('checkFunds', 'NOT_FOUND_WALLET', 1);
      await expect(create(stage.service, { ...request, ...change }, call)).rejects.toMatchObject({
        code: 'NOT_FOUND_WALLET',
      });
      expect(await ordersOf(stage, call)).toBe(0);
      expect((await create(stage.service, request, call)).status).toBe(OrderStatus.COMPLETED);
    },
  );
});
