import { describe, expect, it } from '@jest/globals';
import { Environment, OrderStatus, ProductType, type TopupOrder } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import type { AnyOrder } from './products';
import { ANY_ORDER, BRIEF, callOf, create, eventsOf, operator, topup } from './start-orders';
import { useOrders } from './use-orders';

const stage = useOrders();

const named = (order: TopupOrder, notes = 'checked') => ({ orderGlobalId: order.orderGlobalId, notes });

async function resolve(order: TopupOrder, outcome: OrderStatus): Promise<AnyOrder | undefined> {
  const response = await stage.service.operations.resolveOrder({ ...named(order), outcome }, operator);
  return response.order?.product?.value as AnyOrder | undefined;
}

describe('an operator’s decisions (spec §4.4, §12)', () => {
  it('when an unknown order is resolved as Completed, then it is charged once, however often that is said', async () => {
    const order = await create(stage.service, topup('0005'), callOf());
    const open = stage.finance.hold('captureFunds');
    const both = Promise.all([resolve(order, OrderStatus.COMPLETED), resolve(order, OrderStatus.COMPLETED)]);
    await eventually(() => expect(stage.finance.calls['captureFunds']).toBeGreaterThan(0));
    open();
    const [one, two] = await both;
    expect(one).toMatchObject({ status: OrderStatus.COMPLETED, statusDescription: undefined });
    expect(two).toEqual(one);
    expect(stage.finance.available()).toBe('990.00');
    for (const outcome of [OrderStatus.COMPLETED, OrderStatus.FAILED]) {
      await expect(resolve(order, outcome)).rejects.toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    }
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted']);
  });

  it('when an unknown order is resolved as Failed, then its money is free and the operator’s decision is the reason', async () => {
    const order = await create(stage.service, topup('0005'), callOf());
    const failed = await resolve(order, OrderStatus.FAILED);
    expect(failed).toMatchObject({ status: OrderStatus.FAILED, failureCode: 'OPERATOR_DECISION' });
    expect(failed?.completedAt).toBeInstanceOf(Date);
    expect(stage.finance.available()).toBe('1000.00');
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderFailed']);
  });

  it('when two operators decide otherwise at once, then one of them is refused', async () => {
    const order = await create(stage.service, topup('0005'), callOf());
    const results = await Promise.allSettled([
      resolve(order, OrderStatus.COMPLETED),
      resolve(order, OrderStatus.FAILED),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(stage.finance.charges() + stage.finance.count('released')).toBe(1);
  });

  it('when a completed order is reversed, then the charge is refunded once and completedAt stays', async () => {
    const order = await create(stage.service, topup(), callOf());
    const reversed = await stage.service.operations.reverseOrder(named(order), operator);
    expect(reversed.order?.product?.value).toMatchObject({
      status: OrderStatus.REVERSED,
      completedAt: order.completedAt,
    });
    await expect(stage.service.operations.reverseOrder(named(order), operator)).rejects.toMatchObject({
      code: 'CONFLICT_ORDER_STATE',
      details: { status: 'Reversed' },
    });
    expect(stage.finance.available()).toBe('1000.00');
    // The charge was the partner's doing, the refund the operator's.
    const { operator: name, requestId } = operator;
    const decided = { operator: name, requestId, approvedBy: undefined };
    expect(stage.finance.decisionsOf(order.orderGlobalId)).toEqual([undefined, decided]);
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
  });

  it('when the move is not in the table, then it is refused and nothing changes', async () => {
    const completed = await create(stage.service, topup(), callOf());
    const failed = await create(stage.service, topup('0001'), callOf());
    const refused = { code: 'CONFLICT_ORDER_STATE' };
    await expect(stage.service.operations.cancelOrder(named(completed), operator)).rejects.toMatchObject(
      refused,
    );
    await expect(resolve(completed, OrderStatus.COMPLETED)).rejects.toMatchObject(refused);
    await expect(stage.service.operations.reverseOrder(named(failed), operator)).rejects.toMatchObject(
      refused,
    );
    await expect(resolve(completed, OrderStatus.PENDING)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const unknown = { orderGlobalId: 'TU-NONE', notes: '' };
    await expect(stage.service.operations.cancelOrder(unknown, operator)).rejects.toMatchObject({
      code: 'NOT_FOUND_ORDER',
    });
    expect(stage.finance.charges()).toBe(1);
  });

  it('when finance is away during a resolve, then 503 is answered and the decision is carried out when it is back', async () => {
    const call = callOf();
    const order = await create(stage.service, topup('0005'), call);
    await stage.restart(BRIEF);
    stage.finance.fail('captureFunds', 'SERVICE_UNAVAILABLE');
    // The second waits for the first one's effect, which is still to come.
    for (let i = 0; i < 2; i += 1) {
      await expect(resolve(order, OrderStatus.COMPLETED)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    }
    stage.finance.recover();
    await eventually(async () => {
      const { order: read } = await stage.service.topups.getTopupOrder({ orderId: order.orderId }, call);
      expect(read?.status).toBe(OrderStatus.COMPLETED);
    });
    expect(stage.finance.charges()).toBe(1);
    // Whoever carries it out, it is the operator's decision.
    const { operator: name, requestId } = operator;
    const decided = { operator: name, requestId, approvedBy: undefined };
    const named = stage.finance.decisionsOf(order.orderGlobalId);
    expect(named.length).toBeGreaterThan(0);
    for (const one of named) expect(one).toEqual(decided);
  });

  it('when a cancel races the saga at its reservation, then exactly one of them has its way', async () => {
    const call = callOf();
    const request = topup();
    const open = stage.finance.hold('reserveFunds');
    const creating = create(stage.service, request, call);
    await eventually(() => expect(stage.finance.calls['reserveFunds']).toBeGreaterThan(0));
    const { order } = await stage.service.topups.getTopupOrderByReference(
      { externalReference: request.externalReference },
      call,
    );
    const cancelling = stage.service.operations.cancelOrder(named(order!), operator);
    await cancelling;
    open();
    expect((await creating).status).toBe(OrderStatus.CANCELLED);
    expect(stage.finance.charges()).toBe(0);
    await eventually(() => expect(stage.finance.available()).toBe('1000.00'));
    expect(await stage.service.simulation.findJournalEntry(order!.orderGlobalId)).toBeUndefined();
    expect(await eventsOf(stage.database, order!.orderId)).toEqual(['OrderCancelled']);
  });

  it('when the timeline is read, then it shows each step and who decided what', async () => {
    const order = await create(stage.service, topup('0005'), callOf());
    await resolve(order, OrderStatus.FAILED);
    const { entries, summary } = await stage.service.operations.getOrderTimeline(named(order), operator);
    expect(summary?.status).toBe(OrderStatus.FAILED);
    expect(entries.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'order.created Done',
      'funds.reserve Intent',
      'funds.reserve Done',
      'vendor.submit Intent',
      'vendor.submit Unknown',
      'operator.resolve Intent',
      'funds.release Intent',
      'funds.release Done',
      'operator.resolve Done',
    ]);
    expect(JSON.parse(entries[5]?.detailsJson ?? '')).toMatchObject({ operator: 'Olga', notes: 'checked' });
  });
});

describe('reading orders', () => {
  it('when orders are listed, then they are newest first, the caller’s own, filtered and counted', async () => {
    const call = callOf();
    const made: TopupOrder[] = [];
    for (const ends of ['9999', '0001', '9999']) made.push(await create(stage.service, topup(ends), call));
    await create(stage.service, topup(), callOf());
    const any = {
      page: undefined,
      parked: false,
      status: OrderStatus.UNSPECIFIED,
      fromAt: undefined,
      toAt: undefined,
    };
    const all = { ...any, productType: ProductType.UNSPECIFIED };
    const list = await stage.service.orders.listOrders({ ...all, page: { page: 1, pageSize: 2 } }, call);
    expect(list.orders.map(({ orderId }) => orderId)).toEqual([made[2]?.orderId, made[1]?.orderId]);
    expect(list.page).toEqual({ page: 1, pageSize: 2, totalCount: 3, totalPages: 2 });
    const past = await stage.service.orders.listOrders({ ...all, page: { page: 9, pageSize: 2 } }, call);
    expect(past.orders).toEqual([]);
    const failed = await stage.service.topups.listTopupOrders({ ...any, status: OrderStatus.FAILED }, call);
    expect(failed.orders).toEqual([made[1]]);
    const at = made[1]!.submittedAt;
    const from = await stage.service.topups.listTopupOrders({ ...any, fromAt: at }, call);
    const to = await stage.service.topups.listTopupOrders({ ...any, toAt: at }, call);
    expect([from.page?.totalCount, to.page?.totalCount]).toEqual([2, 1]);
    const byReference = { ...all, externalReference: made[0]!.externalReference };
    expect((await stage.service.orders.listOrders(byReference, call)).orders).toHaveLength(1);
    const esim = { ...all, productType: ProductType.ESIM };
    expect((await stage.service.orders.listOrders(esim, call)).page?.totalPages).toBe(0);
  });

  it('when an order is read by id, reference or global id, then only its owner in its environment finds it', async () => {
    const call = callOf();
    const order = await create(stage.service, topup(), call);
    expect((await stage.service.topups.getTopupOrder({ orderId: order.orderId }, call)).order).toEqual(order);
    const byGlobalId = await stage.service.orders.getOrderByGlobalId(named(order), call);
    expect(byGlobalId.order?.product?.value).toEqual(order);
    for (const stranger of [callOf(), callOf(call.partner?.partnerId, Environment.LIVE)]) {
      const notFound = { code: 'NOT_FOUND_TOPUP_ORDER' };
      await expect(
        stage.service.topups.getTopupOrder({ orderId: order.orderId }, stranger),
      ).rejects.toMatchObject(notFound);
      await expect(stage.service.orders.getOrderByGlobalId(named(order), stranger)).rejects.toMatchObject({
        code: 'NOT_FOUND_ORDER',
      });
    }
    await expect(stage.service.topups.getTopupOrder({ orderId: 'none' }, call)).rejects.toMatchObject({
      code: 'NOT_FOUND_TOPUP_ORDER',
    });
    const all = await stage.service.operations.listAllOrders(
      { ...ANY_ORDER, environment: Environment.SANDBOX, partnerId: call.partner?.partnerId },
      operator,
    );
    expect(all.orders.map(({ orderId }) => orderId)).toEqual([order.orderId]);
    const none = { ...ANY_ORDER, partnerId: 'none' };
    expect((await stage.service.operations.listAllOrders(none, operator)).orders).toEqual([]);
  });

  it('when geo scopes are listed, then each shows what it sells and within which limits', async () => {
    const { geoScopes } = await stage.service.orders.listGeoScopes({}, callOf());
    expect(geoScopes.map(({ globalId }) => globalId)).toEqual(['GEO-SA', 'GEO-AE', 'GEO-EG', 'GEO-US']);
    expect(geoScopes[3]).toEqual({
      globalId: 'GEO-US',
      name: 'United States',
      country: 'US',
      currency: 'SAR',
      products: [ProductType.TOPUP],
      topup: { minAmount: '5.00', maxAmount: '500.00' },
    });
  });
});
