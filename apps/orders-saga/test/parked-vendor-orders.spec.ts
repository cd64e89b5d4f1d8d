import { describe, expect, it } from '@jest/globals';
import { OrderDecision, OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { eventually } from '@reseller/testing';
import { runParkedOrdersCommand } from '../src/operations/parked-orders-command';
import { ANY_ORDER, callOf, create, eventsOf, operator, topup } from './start-orders';
import { useOrders } from './use-orders';

// A repeated create of an order that stays Pending is kept waiting all the time there is.
const stage = useOrders({
  env: { SAGA_PARK_AFTER_MS: '80', SAGA_BUDGET_MS: '200', DUPLICATE_WAIT_MS: '5000' },
});

const read = async (request: ReturnType<typeof topup>, call: CallContext): Promise<TopupOrder> => {
  const { externalReference } = request;
  const { order } = await stage.service.topups.getTopupOrderByReference({ externalReference }, call);
  if (!order) throw new Error('no order was returned');
  return order;
};

/** Where a step that fails for good leaves its order. */
const PARKED_AT = {
  reserveFunds: { step: 'funds.reserve', status: OrderStatus.PENDING, available: '1000.00' },
  captureFunds: { step: 'funds.capture', status: OrderStatus.INTERVENTION_REQUIRED, available: '990.00' },
  releaseFunds: { step: 'funds.release', status: OrderStatus.INTERVENTION_REQUIRED, available: '990.00' },
} as const;

/** A top-up whose step fails for good. */
async function park(
  method: keyof typeof PARKED_AT,
  call: CallContext,
  request = topup(method === 'releaseFunds' ? '0001' : '9999'),
): Promise<TopupOrder> {
  const { step, status } = PARKED_AT[method];
  stage.finance.fail(method, 'INTERNAL_ERROR');
  await create(stage.service, request, call).catch(() => undefined);
  return eventually(async () => {
    const order = await read(request, call);
    expect((await timelineOf(order)).summary).toMatchObject({ status, parked: [{ step }] });
    return order;
  });
}

const resolve = ({ orderGlobalId }: TopupOrder, outcome: OrderStatus) =>
  stage.service.operations.resolveOrder({ orderGlobalId, notes: 'checked', outcome }, operator);
const timelineOf = ({ orderGlobalId }: TopupOrder) =>
  stage.service.operations.getOrderTimeline({ orderGlobalId }, operator);

/** What the command for parked orders ends with and writes. */
async function command(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const env = { DATABASE_URL: stage.database.serviceUrl };
  return { code: await runParkedOrdersCommand({ args, env, say, complain: say }), lines };
}

describe('a top-up of which a step fails for good (spec §4.7)', () => {
  it.each(['reserveFunds', 'captureFunds', 'releaseFunds'] as const)(
    'when %s fails each time, then it is parked there, its money stays, and operators see why while its partner does not',
    async (method) => {
      const { step, status, available } = PARKED_AT[method];
      const isPending = status === OrderStatus.PENDING;
      const call = callOf();
      const request = topup(method === 'releaseFunds' ? '0001' : '9999');
      const order = await park(method, call, request);
      expect(stage.finance.available()).toBe(available);
      expect(order).toMatchObject({
        errorMessage: undefined,
        failureCode: undefined,
        completedAt: undefined,
      });
      await expect(create(stage.service, request, call)).rejects.toMatchObject({
        code: isPending ? 'CONFLICT_ORDER_IN_PROGRESS' : 'CONFLICT_ORDER_INTERVENTION_REQUIRED',
        details: { orderId: order.orderId },
      });
      const { summary, decisions, entries } = await timelineOf(order);
      expect(summary?.parked).toEqual([
        {
          step,
          code: 'INTERNAL_ERROR',
          reason: expect.stringContaining('each time'),
          since: expect.any(Date),
          subjectId: undefined,
        },
      ]);
      expect(decisions).toEqual(
        isPending ? [OrderDecision.CANCEL] : [OrderDecision.RESOLVE_COMPLETED, OrderDecision.RESOLVE_FAILED],
      );
      expect(entries.at(-1)).toMatchObject({ step: 'saga.parked', outcome: 'Failed' });
      const filter = { ...ANY_ORDER, status, partnerId: order.partnerId };
      for (const parked of [true, false]) {
        const { orders } = await stage.service.operations.listAllOrders({ ...filter, parked }, operator);
        expect(orders).toEqual([summary]);
      }
      const { summary: own } = await stage.service.orders.getOrderByGlobalId(order, call);
      expect(own?.parked).toEqual([]);
    },
  );

  it('when its money could not be set aside, then it cannot be resolved, and cancelling it frees what was held after all', async () => {
    const call = callOf();
    const request = topup();
    stage.finance.fail('reserveFunds', 'lost-reply', 1);
    void create(stage.service, request, call).catch(() => undefined);
    await eventually(() => expect(stage.finance.calls['reserveFunds']).toBeGreaterThan(0));
    const order = await park('reserveFunds', call, request);
    expect(stage.finance.available()).toBe('990.00');
    for (const outcome of [OrderStatus.COMPLETED, OrderStatus.FAILED]) {
      await expect(resolve(order, outcome)).rejects.toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    }
    stage.finance.recover();
    const named = { orderGlobalId: order.orderGlobalId, notes: 'checked' };
    const { order: cancelled } = await stage.service.operations.cancelOrder(named, operator);
    expect(cancelled?.product?.value).toMatchObject({
      status: OrderStatus.CANCELLED,
      statusDescription: undefined,
    });
    expect([stage.finance.available(), stage.finance.charges()]).toEqual(['1000.00', 0]);
    expect((await create(stage.service, request, call)).orderId).toBe(order.orderId);
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCancelled']);
  });

  it('when what its money failed of is mended and an operator has it tried again, then it is carried on once, by the same key', async () => {
    const call = callOf();
    const request = topup();
    const order = await park('reserveFunds', call, request);
    const other = await park('reserveFunds', call);
    const { orderGlobalId } = order;
    const listed = async (): Promise<unknown[]> =>
      (await command()).lines.map((line) => JSON.parse(line) as unknown);
    const facts = { step: 'funds.reserve', code: 'INTERNAL_ERROR', since: expect.any(String) };
    const entries = [orderGlobalId, other.orderGlobalId].map((id) => ({ orderGlobalId: id, ...facts }));
    expect(await listed()).toEqual(expect.arrayContaining(entries));
    stage.finance.recover();
    expect(await command('--retry', orderGlobalId)).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('--as')],
    });
    expect(await listed()).toContainEqual(entries[0]);
    expect(await command('--retry', orderGlobalId, '--as', 'olga')).toEqual({ code: 0, lines: [] });
    await eventually(async () =>
      expect(await read(request, call)).toMatchObject({
        status: OrderStatus.COMPLETED,
        statusDescription: undefined,
      }),
    );
    expect([stage.finance.available(), stage.finance.charges()]).toEqual(['990.00', 1]);
    const retried = (await timelineOf(order)).entries.filter(({ step }) => step === 'operator.retry');
    expect(retried.map(({ outcome, detailsJson }) => [outcome, JSON.parse(detailsJson)])).toEqual([
      ['Done', { decision: 'retry', operator: 'olga' }],
    ]);
    // It is parked no more; neither is one that has other decisions.
    expect(await command('--retry', orderGlobalId, '--retry', 'TOP-unknown', '--as', 'olga')).toMatchObject({
      code: 3,
    });
    expect(await listed()).not.toContainEqual(entries[0]);
    expect(await listed()).toContainEqual(entries[1]);
  });

  it('when it is tried again and fails again, then it is parked again', async () => {
    const order = await park('reserveFunds', callOf());
    const [before] = (await timelineOf(order)).summary?.parked ?? [];
    expect((await command('--retry', order.orderGlobalId, '--as', 'olga')).code).toBe(0);
    await eventually(async () => {
      const [now] = (await timelineOf(order)).summary?.parked ?? [];
      expect(now?.since).not.toEqual(before?.since);
      expect(now).toMatchObject({ step: 'funds.reserve', code: 'INTERNAL_ERROR' });
    });
  });

  it.each(['captureFunds', 'releaseFunds'] as const)(
    'when it failed at %s and is resolved as Failed, then its money is free',
    async (method) => {
      const order = await park(method, callOf());
      stage.finance.recover();
      expect((await resolve(order, OrderStatus.FAILED)).order?.product?.value).toMatchObject({
        status: OrderStatus.FAILED,
        failureCode: 'OPERATOR_DECISION',
      });
      expect([stage.finance.available(), stage.finance.charges()]).toEqual(['1000.00', 0]);
      expect((await eventsOf(stage.database, order.orderId)).at(-1)).toBe('OrderFailed');
    },
  );

  it('when its charge was taken and only the answer failed, then Completed charges no second time', async () => {
    const call = callOf();
    const request = topup();
    stage.finance.fail('captureFunds', 'lost-reply', 1);
    void create(stage.service, request, call).catch(() => undefined);
    await eventually(() => expect(stage.finance.calls['captureFunds']).toBeGreaterThan(0));
    const order = await park('captureFunds', call, request);
    stage.finance.recover();
    await resolve(order, OrderStatus.COMPLETED);
    expect([stage.finance.available(), stage.finance.charges()]).toEqual(['990.00', 1]);
  });

  it('when the hold of a cancelled one cannot be freed, then it stays Cancelled, is listed, and the same decision frees it', async () => {
    const call = callOf();
    const request = topup();
    stage.finance.fail('reserveFunds', 'lost-reply');
    await create(stage.service, request, call).catch(() => undefined);
    const order = await read(request, call);
    stage.finance.fail('releaseFunds', 'INTERNAL_ERROR');
    const named = { orderGlobalId: order.orderGlobalId, notes: 'checked' };
    await stage.service.operations.cancelOrder(named, operator).catch(() => undefined);
    await eventually(async () => {
      const { summary, decisions } = await timelineOf(order);
      expect(summary).toMatchObject({ status: OrderStatus.CANCELLED, parked: [{ step: 'funds.release' }] });
      expect(decisions).toEqual([OrderDecision.CANCEL]);
    });
    expect(stage.finance.available()).toBe('990.00');
    stage.finance.recover();
    await stage.service.operations.cancelOrder(named, operator);
    await eventually(() => expect(stage.finance.available()).toBe('1000.00'));
    await eventually(async () => expect((await timelineOf(order)).summary?.parked).toEqual([]));
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCancelled']);
  });

  it('when a reversal cannot be carried out, then the order stays Completed, is listed, and reversing it again refunds once', async () => {
    const call = callOf();
    const order = await create(stage.service, topup(), call);
    // On a busy machine a create's budget may end before its order does.
    await eventually(async () =>
      expect((await timelineOf(order)).summary).toMatchObject({ status: OrderStatus.COMPLETED }),
    );
    stage.finance.fail('refundFunds', 'lost-reply', 1);
    const named = { orderGlobalId: order.orderGlobalId, notes: 'checked' };
    const first = stage.service.operations.reverseOrder(named, operator).catch(() => undefined);
    await eventually(() => expect(stage.finance.calls['refundFunds']).toBeGreaterThan(0));
    stage.finance.fail('refundFunds', 'INTERNAL_ERROR');
    await first;
    await eventually(async () => {
      const { summary } = await timelineOf(order);
      expect(summary).toMatchObject({ status: OrderStatus.COMPLETED, parked: [{ step: 'funds.refund' }] });
    });
    stage.finance.recover();
    await stage.service.operations.reverseOrder(named, operator);
    expect([stage.finance.available(), stage.finance.charges()]).toEqual(['1000.00', 0]);
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
  });
});
