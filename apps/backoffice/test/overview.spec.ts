import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryOperationsServiceService, OrderOperationsServiceService } from '@reseller/contracts';
import { AT } from './support/samples';
import { TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;

beforeAll(async () => {
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());
beforeEach(() => backoffice.reset());

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

  it('when nothing happened, then rates and times are null', async () => {
    const none = { orders: [], refusals: [], created: 0, p50Ms: undefined, p99Ms: undefined };
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

  it('when one service is away, then it is an error and no gap', async () => {
    backoffice.fakes.of('notifier').fail('countWebhookDeliveries', 'SERVICE_UNAVAILABLE');
    expect((await backoffice.send('GET', `/overview?${SPAN}`)).status).toBe(503);
  });
});
