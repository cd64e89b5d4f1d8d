import { describe, expect, it } from '@jest/globals';
import {
  DeliveryOperationsServiceService,
  OrderOperationsServiceService,
  OrderStatus,
  ProductType,
} from '@reseller/contracts';
import { AT, later } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

const SPAN = 'environment=live&from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z';

describe('the overview (spec §18.7)', () => {
  it('when it is read, then orders, refusals, creates, webhooks, vendors and what waits are shown in one', async () => {
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).body.payload).toEqual({
      environment: 'live',
      from: '2026-03-01T10:00:00.000Z',
      to: '2026-03-01T11:00:00.000Z',
      orders: [{ hour: AT.toISOString(), productType: 'Topup', status: 'Completed', count: 2, amount: 21.5 }],
      refusals: [{ code: 'VALIDATION_FAILED', count: 3 }],
      creates: { count: 2, p50Ms: 12, p99Ms: 40 },
      webhooks: { delivered: 3, deadLettered: 1, pending: 5, successRate: 0.75 },
      vendors: [
        { name: 'acme', calls: 4, successRate: 0.75, refusals: 1, p50Ms: 20, p99Ms: 90, waitingOrders: 2 },
        {
          name: 'idle',
          calls: 0,
          successRate: null,
          refusals: 0,
          p50Ms: null,
          p99Ms: null,
          waitingOrders: 0,
        },
      ],
      waiting: { orders: 1, returnRequests: 4, approvals: 4, deadLetters: 1 },
    });
    const letters = backoffice.calls.filter(({ method }) => method === 'listDeadLetters');
    expect(letters.map(({ request }) => request)).toEqual(
      Array(3).fill(expect.objectContaining({ state: 'DEAD_LETTER_STATE_WAITING' })),
    );
  });

  it('when orders come in series, then they are shown hour by hour', async () => {
    const HOUR_MS = 3_600_000;
    const first = AT.getTime() / HOUR_MS;
    const same = { productType: ProductType.ESIM, currency: 'SAR' };
    const failed = { ...same, status: OrderStatus.FAILED };
    const reversed = { ...same, status: OrderStatus.REVERSED };
    const getOrderOverview = () => ({
      series: [
        { ...failed, hours: [first, first + 2], counts: [1, 2], amounts: ['1.00', '2.10'] },
        { ...reversed, hours: [first + 2, first + 1], counts: [4, 3], amounts: ['4.00', '3.00'] },
      ],
    });
    const shown = (n: number, status: string, count: number, amount: number) => ({
      hour: later(n * HOUR_MS).toISOString(),
      productType: 'Esim',
      status,
      count,
      amount,
    });
    backoffice.fakes.of('orders-saga').on(OrderOperationsServiceService, { getOrderOverview });
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).body.payload).toMatchObject({
      orders: [
        shown(0, 'Failed', 1, 1),
        shown(1, 'Reversed', 3, 3),
        shown(2, 'Failed', 2, 2.1),
        shown(2, 'Reversed', 4, 4),
      ],
    });
  });

  it('when nothing happened, then rates and times are null', async () => {
    const none = { series: [], refusals: [], created: 0, p50Ms: undefined, p99Ms: undefined };
    backoffice.fakes.of('orders-saga').on(OrderOperationsServiceService, { getOrderOverview: () => none });
    backoffice.fakes.of('notifier').on(DeliveryOperationsServiceService, {
      countWebhookDeliveries: () => ({ delivered: 0, deadLettered: 0, pending: 1 }),
    });
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).body.payload).toMatchObject({
      creates: { count: 0, p50Ms: null, p99Ms: null },
      webhooks: { pending: 1, successRate: null },
    });
  });

  it.each([
    ['environment', 'environment=both&from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z'],
    ['environment', 'from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z'],
    ['from', 'environment=live&to=2026-03-01T11:00:00Z'],
    ['to', 'environment=live&from=2026-03-01T11:00:00Z'],
    ['to', 'environment=live&from=2026-03-01T11:00:00Z&to=2026-03-01T11:00:00Z'],
  ])('when %s is missing or does not fit, then it is refused there', async (path, query) => {
    const { status, body } = await backoffice.send('GET', `/overview?${query}`);
    expect([status, body.state, body.details]).toMatchObject([
      400,
      'VALIDATION_FAILED',
      { errors: [{ path }] },
    ]);
  });

  it('when services are away, then their figures are null, it names them, and the rest is there', async () => {
    const read = async (): Promise<{ waiting: object }> =>
      (await backoffice.send('GET', `/overview?${SPAN}`)).body.payload as { waiting: object };
    const { waiting } = await read();
    const [finance, notifier] = [backoffice.fakes.of('finance'), backoffice.fakes.of('notifier')];
    const comeBack = notifier.fail('countWebhookDeliveries', 'SERVICE_UNAVAILABLE');
    expect(await read()).toMatchObject({ webhooks: null, waiting, missing: ['notifier'] });
    comeBack();
    finance.fail('listApprovals', 'SERVICE_UNAVAILABLE');
    expect(await read()).toMatchObject({ waiting: { ...waiting, approvals: null }, missing: ['finance'] });
    finance.fail('listDeadLetters', 'SERVICE_UNAVAILABLE');
    expect(await read()).toMatchObject({
      waiting: { ...waiting, approvals: null, deadLetters: null },
      missing: ['finance'],
    });
  });

  it('when orders cannot be read, or something else fails, then it is an error', async () => {
    const comeBack = backoffice.fakes.of('orders-saga').fail('getOrderOverview', 'SERVICE_UNAVAILABLE');
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).status).toBe(503);
    comeBack();
    backoffice.fakes.of('notifier').fail('countWebhookDeliveries', 'INTERNAL_ERROR');
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).status).toBe(500);
  });
});
