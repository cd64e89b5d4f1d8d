import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectSuccess } from '../../src/clients/response';
import { insistOn } from '../../src/clients/insist';
import { OperatorClient } from '../../src/clients/operator-client';
import type { PartnerClient } from '../../src/clients/partner-client';
import {
  addToCart,
  newScentOrder,
  orderScents,
  scentOrdersOf,
  Shelf,
  type CartView,
  type ShelfVariant,
} from '../../src/clients/scents';
import { SHORT_TIMES, startCrashPlatform, type CrashPlatform } from '../../src/crash/crash-platform';
import { until } from '../../src/until';
import { whileStopped } from '../../src/platform/processes';

const TTL_MS = 1_500;
let platform: CrashPlatform;
let shelf: Shelf;
let client: PartnerClient;
let variant: ShelfVariant;
beforeAll(async () => {
  platform = await startCrashPlatform({ ...SHORT_TIMES, PRICE_LOCK_TTL_MS: String(TTL_MS) });
  const operator = new OperatorClient(platform.description);
  shelf = new Shelf(operator);
  client = (await operator.newPartner({ deposit: 100_000, settings: { commissionRate: 0.1 } })).live;
  variant = (await shelf.onOffer()).find(({ stockOnHand }) => stockOnHand > 100)!;
});
afterAll(() => platform.stop());

test('when a lock is used after its time, then VALIDATION_PRICE_LOCK_EXPIRED, and the cart sells without it', async () => {
  await addToCart(client, variant.id, 1, 'late');
  const locked = expectSuccess(
    await client.call<CartView & { lockExpiresAt: string }>(
      '/scent/cart/checkout-preview?customerRef=late&lock=true',
    ),
  );
  await pause(Date.parse(locked.lockExpiresAt) - Date.now() + 50);
  const late = await orderScents(client, newScentOrder({ customerRef: 'late', lockId: locked.lockId! }));
  expect([late.status, late.state]).toEqual([400, 'VALIDATION_PRICE_LOCK_EXPIRED']);
  const order = expectSuccess(await orderScents(client, newScentOrder({ customerRef: 'late' })));
  expect(order.status).toBe('Processing');
});

test('when an order is on its way with a cart, then nobody changes the cart until it has ended', async () => {
  const customerRef = 'held';
  await addToCart(client, variant.id, 3, customerRef);
  const { stockOnHand } = await shelf.read(variant.id);
  const body = newScentOrder({ customerRef });
  // It dies with the cart frozen, and cannot go on while finance stands still.
  platform.crashFile.arm('funds.reserve.before');
  const sent = orderScents(client, body).catch(() => undefined);
  await until('orders-saga dies', () => !platform.crashFile.isArmed);
  await whileStopped('finance', async () => {
    expect((await shelf.read(variant.id)).stockReserved).toBe(3);
    const items = '/scent/cart/items';
    const query = `?customerRef=${customerRef}`;
    const responses = [
      await client.call(`${items}${query}`, { body: { variantId: variant.id, quantity: 1 } }),
      await client.call(`${items}/${variant.id}${query}`, { method: 'PUT', body: { quantity: 9 } }),
      await client.call(`${items}/${variant.id}${query}`, { method: 'DELETE' }),
      await client.call(`/scent/cart${query}`, { method: 'DELETE' }),
    ];
    expect(responses.map(({ status, state }) => [status, state])).toEqual(
      Array(4).fill([409, 'CONFLICT_CART_HAS_PENDING_ORDER']),
    );
  });
  await sent;
  const order = await insistOn(() => orderScents(client, body));
  expect(order.lines.map(({ quantity }) => quantity)).toEqual([3]);
  expect((await scentOrdersOf(client)).filter((one) => one.customerRef === customerRef)).toEqual([order]);
  expect(await shelf.read(variant.id)).toMatchObject({ stockOnHand: stockOnHand - 3, stockReserved: 0 });
});
