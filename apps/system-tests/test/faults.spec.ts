import { describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { OperatorClient } from '../src/clients/operator-client';
import type { Page, TopupOrder } from '../src/clients/resources';
import { expectSuccess } from '../src/clients/response';
import { insistOn } from '../src/clients/insist';
import { newTopup } from '../src/clients/bodies';
import { readBooks } from '../src/money-check';
import { readPlatformFile } from '../src/platform/platform-file';
import { killService, whileStopped } from '../src/platform/processes';

const operator = new OperatorClient(readPlatformFile());
/** What a response says of its display siblings. */
interface Shown {
  readonly displayCurrency: string | null;
  readonly rate: number | null;
}

const WORLDS = ['sandbox', 'live'] as const;
const ORDERS = 40;
const WORKERS = 4;

test.each(['orders-saga', 'finance', 'gateway', 'identity'])(
  'when %s is killed twice while orders run in sandbox and live, then every response holds and the money is exact (spec §4.7)',
  async (service) => {
    const partner = await operator.newPartner({ deposit: 5_000 });
    const bodies = Array.from({ length: ORDERS }, (_, i) =>
      newTopup({ amount: 10 + (i % 7) + 0.01 * (i % 13) }),
    );
    const responses: Record<(typeof WORLDS)[number], TopupOrder[]> = { sandbox: [], live: [] };
    const orderIn = async (world: (typeof WORLDS)[number]): Promise<void> => {
      await partner[world].accessToken();
      const waiting = [...bodies];
      const work = async (): Promise<void> => {
        for (let body = waiting.pop(); body; body = waiting.pop())
          responses[world].push(await insistOn(() => partner[world].topup(body)));
      };
      await Promise.all(Array.from({ length: WORKERS }, work));
    };
    const killer = async (): Promise<void> => {
      for (const after of [ORDERS / 4, ORDERS / 2]) {
        await eventually(() => {
          for (const world of WORLDS) expect(responses[world].length).toBeGreaterThanOrEqual(after);
        });
        await killService(service);
      }
    };
    await Promise.all([killer(), ...WORLDS.map(orderIn)]);

    const total = bodies.reduce((sum, body) => sum + Math.round(body.amount * 100), 0);
    for (const world of WORLDS) {
      const client = partner[world];
      // What a crash left behind is carried on once its lease has lapsed.
      const books = await eventually(
        async () => {
          const now = await readBooks(client, world);
          expect(now.openOrders).toEqual([]);
          return now;
        },
        { intervalMs: 500 },
      );
      expect(books).toEqual({
        completedOrders: total,
        debits: total,
        credits: 500_000,
        balance: 500_000 - total,
        available: 500_000 - total,
        brokenLines: 0,
        uncaptured: [],
        undelivered: [],
        openOrders: [],
      });
      const orders = await client.orders();
      expect(orders).toHaveLength(ORDERS);
      const byId = new Map(orders.map((order) => [order.orderId, order]));
      for (const response of responses[world]) {
        if (response.status === 'Completed') expect(byId.get(response.orderId)).toEqual(response);
        else
          expect([response.status, byId.get(response.orderId)?.status]).toEqual(['Processing', 'Completed']);
      }
    }
  },
  150_000,
);

describe('a service that stands still (spec §1.10)', () => {
  // spec §1.10 gives reads 2 s and changes 12 s; the rest is for a machine that is busy.
  const cases = [
    ['finance', '/wallet/balance', undefined, 4_000],
    ['orders-saga', '/orders', undefined, 4_000],
    ['finance', '/orders/topup', newTopup(), 14_000],
    ['orders-saga', '/orders/topup', newTopup(), 14_000],
  ] as const;
  test.each(cases)(
    'when %s stands still, then %s is SERVICE_UNAVAILABLE in time and the rest goes on',
    async (service, path, body, limit) => {
      const partner = await operator.newPartner({ deposit: 100 });
      await partner.sandbox.accessToken();
      await whileStopped(service, async () => {
        const before = performance.now();
        const response = await partner.sandbox.call(path, body ? { body } : {});
        expect([response.status, response.state, response.payload]).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          null,
        ]);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(performance.now() - before).toBeLessThan(limit);
        const other = service === 'finance' ? '/geo-scopes' : '/wallet/balance';
        expect((await partner.sandbox.call(other)).status).toBe(200);
      });
      await eventually(async () =>
        expect((await partner.sandbox.call(path === '/orders/topup' ? '/orders' : path)).status).toBe(200),
      );
      if (body) {
        const order = await insistOn(() => partner.sandbox.topup(body));
        expect(order.status).toBe('Completed');
        expect(await partner.sandbox.orders()).toHaveLength(1);
        expect(await readBooks(partner.sandbox, 'sandbox')).toMatchObject({
          debits: 1_000,
          available: 9_000,
        });
      }
    },
  );

  test('when identity stands still, then tokens that exist still work and new ones are SERVICE_UNAVAILABLE', async () => {
    const partner = await operator.newPartner({ deposit: 100 });
    await partner.sandbox.accessToken();
    await whileStopped('identity', async () => {
      expect((await partner.sandbox.topup(newTopup())).status).toBe(200);
      await expect(partner.live.accessToken()).rejects.toThrow(/503 .*SERVICE_UNAVAILABLE/);
    });
    await eventually(() => partner.live.accessToken());
  });
});

describe('display rates with finance away (spec §3.3)', () => {
  test('when finance stands still, then carts, changes, locks and the catalog go on with the last known rate', async () => {
    const { live } = await operator.newPartner({ settings: { displayCurrency: 'USD' } });
    const catalog = await live.call<Page<Shown & { id: string }>>('/scent/variants?availability=Available');
    const [variant] = expectSuccess(catalog).items;
    if (!variant) throw new Error('the shelf is empty');
    const known = { displayCurrency: 'USD', rate: variant.rate };
    expect(variant).toMatchObject({ displayCurrency: 'USD', rate: expect.any(Number) });
    const line = { variantId: variant.id, quantity: 1 };
    const calls = [
      () => live.call<Shown>(`/scent/variants/${variant.id}`),
      () => live.call<Shown>('/scent/cart/items', { body: line }),
      () => live.call<Shown>(`/scent/cart/items/${variant.id}`, { method: 'PUT', body: { quantity: 2 } }),
      () => live.call<Shown>('/scent/cart'),
      () => live.call<Shown>('/scent/price-quote', { body: { lines: [line] } }),
      () => live.call<Shown & { lockId: string }>('/scent/cart/checkout-preview?lock=true'),
      () => live.call<Shown>('/scent/cart', { method: 'DELETE' }),
    ];
    await whileStopped('finance', async () => {
      for (const call of calls) expect(expectSuccess(await call())).toMatchObject(known);
    });
  });
});

test('when the vendor is killed, then live orders wait for it and end as they should', async () => {
  const partner = await operator.newPartner({ deposit: 100 });
  const bodies = Array.from({ length: 5 }, () => newTopup({ amount: 10 }));
  const [, orders] = await Promise.all([
    killService('vendor-simulator'),
    Promise.all(bodies.map((body) => insistOn(() => partner.live.topup(body)))),
  ]);
  await eventually(
    async () => {
      for (const order of orders) expect((await partner.live.order(order.orderId)).status).toBe('Completed');
    },
    { intervalMs: 500 },
  );
  expect(await readBooks(partner.live, 'live')).toMatchObject({
    debits: 5_000,
    available: 5_000,
    undelivered: [],
  });
});

test('when PostgreSQL is killed under load, then nothing acknowledged is lost and the money is exact', async () => {
  const partner = await operator.newPartner({ deposit: 1_000 });
  await partner.sandbox.accessToken();
  const bodies = Array.from({ length: 40 }, () => newTopup({ amount: 10 }));
  const waiting = [...bodies];
  const responses: TopupOrder[] = [];
  const work = async (): Promise<void> => {
    for (let body = waiting.pop(); body; body = waiting.pop())
      responses.push(await insistOn(() => partner.sandbox.topup(body)));
  };
  const killer = async (): Promise<void> => {
    await eventually(() => expect(responses.length).toBeGreaterThanOrEqual(10));
    await killService('postgres');
  };
  await Promise.all([killer(), work(), work(), work(), work()]);
  const books = await eventually(
    async () => {
      const now = await readBooks(partner.sandbox, 'sandbox');
      expect(now.openOrders).toEqual([]);
      return now;
    },
    { intervalMs: 500 },
  );
  expect(books).toMatchObject({
    completedOrders: 40_000,
    debits: 40_000,
    available: 60_000,
    brokenLines: 0,
    uncaptured: [],
    undelivered: [],
  });
}, 150_000);
