import { describe, expect, it } from '@jest/globals';
import { OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { eventually } from '@reseller/testing';
import { BRIEF, callOf, create, eventsOf, operator, topup } from './start-orders';
import { ordersOf, useOrders } from './use-orders';

const stage = useOrders({ deposit: '100.00', env: BRIEF });

/** Repeats the create until the order is complete. */
const completed = (request: ReturnType<typeof topup>, call: CallContext): Promise<void> =>
  eventually(async () =>
    expect((await create(stage.service, request, call)).status).toBe(OrderStatus.COMPLETED),
  );

/** A create that was returned as 503, and the order that it left behind. */
async function leftBehind(request: ReturnType<typeof topup>, call: CallContext): Promise<TopupOrder> {
  await expect(create(stage.service, request, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const { externalReference } = request;
  const { order } = await stage.service.topups.getTopupOrderByReference({ externalReference }, call);
  return order!;
}

describe('finance away (spec §4.7)', () => {
  it('when it is away already at the check, then nothing is kept', async () => {
    stage.finance.fail('checkFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    await expect(create(stage.service, topup(), call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await ordersOf(stage, call)).toBe(0);
  });

  it('when it goes away at the reservation, then the create returns 503, the order stays Pending, and is carried on when it is back', async () => {
    stage.finance.fail('reserveFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    const request = topup();
    const order = await leftBehind(request, call);
    expect(order).toMatchObject({ status: OrderStatus.PENDING, nextPollAt: undefined });
    stage.finance.recover();
    await completed(request, call);
    expect(stage.finance.charges()).toBe(1);
    expect(await eventsOf(stage.database, order.orderId)).toEqual([
      'OrderProcessingStarted',
      'OrderCompleted',
    ]);
  });

  it('when it goes away at the capture, then the order is Processing until the charge is durable', async () => {
    stage.finance.fail('captureFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    const request = topup();
    const order = await create(stage.service, request, call);
    expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
    expect(order.nextPollAt).toBeInstanceOf(Date);
    stage.finance.recover();
    await completed(request, call);
    expect(stage.finance.charges()).toBe(1);
  });

  it('when a reservation is refused in recovery, then the order is withdrawn and its reference is free', async () => {
    stage.finance.fail('reserveFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    const request = topup('9999', { amount: '60.00' });
    await expect(create(stage.service, request, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const takeAway = stage.finance.put('elsewhere', { amount: '50.00', state: 'held' });
    stage.finance.recover();
    await eventually(async () => expect(await ordersOf(stage, call)).toBe(0));
    expect(stage.finance.count('held')).toBe(1);
    takeAway();
    await completed(request, call);
  });

  it('when an operator cancels an order that waits for finance, then it is Cancelled at once and never charged', async () => {
    stage.finance.fail('reserveFunds', 'SERVICE_UNAVAILABLE');
    stage.finance.fail('releaseFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    const request = topup();
    const order = await leftBehind(request, call);
    const cancel = { orderGlobalId: order.orderGlobalId, notes: 'by phone' };
    const cancelled = await stage.service.operations.cancelOrder(cancel, operator);
    expect(cancelled.order?.product?.value).toMatchObject({ status: OrderStatus.CANCELLED });
    stage.finance.recover();
    await eventually(() => expect(stage.finance.count('released')).toBe(1));
    expect(stage.finance.available()).toBe('100.00');
    expect((await create(stage.service, request, call)).status).toBe(OrderStatus.CANCELLED);
    expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCancelled']);
  });
});
