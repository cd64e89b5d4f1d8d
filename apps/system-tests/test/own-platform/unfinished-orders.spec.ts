import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorClient } from '../../src/clients/operator-client';
import { newTopup } from '../../src/clients/bodies';
import { insistOn } from '../../src/clients/insist';
import type { PartnerClient } from '../../src/clients/partner-client';
import type { Page, TopupOrder } from '../../src/clients/resources';
import { expectSuccess } from '../../src/clients/response';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  readCart,
  readDiscountCode,
  scentOrdersOf,
  Shelf,
  type CartView,
  type DiscountCodeView,
  type ScentOrder,
  type ShelfVariant,
} from '../../src/clients/scents';
import { SHORT_TIMES, startCrashPlatform, type CrashPlatform } from '../../src/crash/crash-platform';
import { whileStopped } from '../../src/platform/processes';
import { rowsOf } from '../../src/platform/rows-of';
import { until } from '../../src/until';

/** A database of a service that refuses what one step writes, each time: the step fails for good. */
const FAULTS = {
  'funds.reserve': { owner: 'finance', table: 'reservations', check: 'amount < 0' },
  'funds.settle': { owner: 'finance', table: 'settlement_lines', check: 'quantity < 0' },
  'checkout.commit': { owner: 'scent-commerce', table: 'carts', check: `status <> 'CheckedOut'` },
} as const;
type FaultyStep = keyof typeof FAULTS;

interface ParkedRow {
  readonly orderGlobalId: string;
  readonly status: string;
  readonly parked: readonly { readonly step: string; readonly code: string; readonly reason: string }[];
}

let platform: CrashPlatform;
let operator: OperatorClient;
let shelf: Shelf;
let client: PartnerClient;
let partnerId: string;
let variant: ShelfVariant;
beforeAll(async () => {
  platform = await startCrashPlatform({
    ...SHORT_TIMES,
    SAGA_BUDGET_MS: '500',
    SAGA_PARK_AFTER_MS: '800',
    PRICE_LOCK_TTL_MS: '1500',
  });
  operator = new OperatorClient(platform.description);
  shelf = new Shelf(operator);
});
afterEach(mend);
afterAll(() => platform.stop());
beforeEach(async () => {
  const partner = await operator.newPartner({ deposit: 100_000, settings: { commissionRate: 0.1 } });
  [client, partnerId] = [partner.live, partner.id];
  variant = (await shelf.onOffer()).find(({ stockOnHand }) => stockOnHand > 100)!;
});

async function breakAt(step: FaultyStep): Promise<void> {
  const { owner, table, check } = FAULTS[step];
  await rowsOf(owner, `ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (${check}) NOT VALID`);
}

async function mend(): Promise<void> {
  for (const { owner, table } of Object.values(FAULTS))
    await rowsOf(owner, `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS broken`);
}

interface Stuck {
  readonly order: ScentOrder;
  readonly body: object;
  readonly code: DiscountCodeView;
}

/** A customer's order that cannot go on without a person. */
async function stickAt(step: FaultyStep): Promise<Stuck> {
  await breakAt(step);
  const code = await newDiscountCode(client);
  await addToCart(client, variant.id, 2, 'c-1');
  const body = newScentOrder({ customerRef: 'c-1', discountCode: code.code });
  expect([503, 409]).toContain((await orderScents(client, body)).status);
  const reference = `/orders/scent/reference/${body.externalReference}`;
  const order = await until('the order needs an operator', async () => {
    const { payload } = await client.call<ScentOrder>(reference);
    return payload.status === 'InterventionRequired' && payload;
  });
  return { order, body, code };
}

const decide = (what: 'resolve' | 'cancel', { order }: Stuck, body: object = {}) =>
  operator.call<ScentOrder>(`/orders/${order.orderGlobalId}/${what}`, {
    body: { notes: 'checked', ...body },
  });

/** Nothing is left of it: money, stock, discount and cart are as before, and the cart sells. */
async function expectUndone({ order, code }: Stuck, status: string): Promise<void> {
  expect(await client.balance()).toMatchObject({ currentBalance: 100_000, availableBalance: 100_000 });
  expect(await shelf.read(variant.id)).toMatchObject({ stockOnHand: variant.stockOnHand, stockReserved: 0 });
  expect((await readDiscountCode(client, code.id)).usageCount).toBe(0);
  const undone = expectSuccess(await client.call<ScentOrder>(`/orders/scent/${order.id}`));
  expect([undone.status, ...undone.fulfillmentGroups.map((group) => group.status)]).toEqual([
    status,
    'Cancelled',
  ]);
  await mend();
  expect((await readCart(client, 'c-1')).items).toMatchObject([{ variantId: variant.id, quantity: 2 }]);
  await addToCart(client, variant.id, 1, 'c-1');
  const next = expectSuccess(await orderScents(client, newScentOrder({ customerRef: 'c-1' })));
  expect([next.status, next.lines[0]?.quantity]).toEqual(['Processing', 3]);
}

describe('a scent order of which a step fails for good (spec §7.3, §12)', () => {
  test('when it is not charged, then it is listed with its reason, its cart is held, and cancelling it frees all', async () => {
    const stuck = await stickAt('funds.settle');
    const { order, body } = stuck;
    const repeated = await client.call('/orders/scent', { body });
    expect([repeated.status, repeated.state]).toEqual([409, 'CONFLICT_ORDER_INTERVENTION_REQUIRED']);
    expect(repeated.details).toMatchObject({ orderId: order.id });
    const item = { variantId: variant.id, quantity: 1 };
    expect((await client.call('/scent/cart/items?customerRef=c-1', { body: item })).state).toBe(
      'CONFLICT_CART_HAS_PENDING_ORDER',
    );
    for (const filter of ['status=InterventionRequired', 'parked=true']) {
      const { items } = await operator.get<Page<ParkedRow>>(`/orders?${filter}&partnerId=${partnerId}`);
      expect(items).toMatchObject([
        {
          orderGlobalId: order.orderGlobalId,
          parked: [{ step: 'funds.settle', code: 'INTERNAL_ERROR', reason: expect.any(String) }],
        },
      ]);
    }
    expect(JSON.stringify(order)).not.toContain('parked');
    const timeline = await operator.get<{ decisions: string[] }>(`/orders/${order.orderGlobalId}/timeline`);
    expect(timeline.decisions).toEqual(['ResolveCompleted', 'ResolveFailed', 'Cancel']);

    const cancelled = await decide('cancel', stuck);
    expect([cancelled.status, cancelled.payload.status]).toEqual([200, 'Cancelled']);
    expect((await decide('cancel', stuck)).state).toBe('CONFLICT_ORDER_STATE');
    await expectUndone(stuck, 'Cancelled');
    // Its reference stays used.
    expect(expectSuccess(await orderScents(client, body)).status).toBe('Cancelled');
  });

  test('when it is charged, then it cannot be cancelled, and resolving it as Failed gives all of it back', async () => {
    const stuck = await stickAt('checkout.commit');
    expect((await client.balance()).currentBalance).toBeLessThan(100_000);
    expect((await decide('cancel', stuck)).state).toBe('CONFLICT_ORDER_STATE');
    const failed = await decide('resolve', stuck, { outcome: 'Failed' });
    expect([failed.status, failed.payload.status]).toEqual([200, 'Failed']);
    await expectUndone(stuck, 'Failed');
  });

  test('when the fault is mended and it is resolved as Completed, then it is carried on and charged once', async () => {
    const stuck = await stickAt('checkout.commit');
    const { currentBalance } = await client.balance();
    await mend();
    const carriedOn = await decide('resolve', stuck, { outcome: 'Completed' });
    expect([carriedOn.status, carriedOn.payload.status]).toEqual([200, 'Processing']);
    expect((await client.balance()).currentBalance).toBe(currentBalance);
    expect(await shelf.read(variant.id)).toMatchObject({
      stockOnHand: variant.stockOnHand - 2,
      stockReserved: 0,
    });
    expect((await readDiscountCode(client, stuck.code.id)).usageCount).toBe(1);
    expect(expectSuccess(await orderScents(client, stuck.body)).id).toBe(stuck.order.id);
  });
});

describe('a top-up whose money cannot be set aside (spec §4.4, §4.7)', () => {
  test('when that fails for good, then it stays Pending, is listed, and an operator can cancel it and nothing else', async () => {
    await breakAt('funds.reserve');
    const body = newTopup();
    expect((await client.call('/orders/topup', { body })).status).toBe(503);
    const listed = `/orders?parked=true&partnerId=${partnerId}`;
    const row = await until('the order is parked', async () => {
      return (await operator.get<Page<ParkedRow>>(listed)).items[0];
    });
    expect(row).toMatchObject({
      status: 'Pending',
      parked: [{ step: 'funds.reserve', code: 'INTERNAL_ERROR' }],
    });
    const repeated = await client.call('/orders/topup', { body });
    expect([repeated.status, repeated.state]).toEqual([409, 'CONFLICT_ORDER_IN_PROGRESS']);
    const path = `/orders/${row.orderGlobalId}`;
    expect((await operator.get<{ decisions: string[] }>(`${path}/timeline`)).decisions).toEqual(['Cancel']);
    for (const outcome of ['Completed', 'Failed']) {
      const resolved = await operator.call(`${path}/resolve`, { body: { notes: 'checked', outcome } });
      expect([resolved.status, resolved.state]).toEqual([409, 'CONFLICT_ORDER_STATE']);
    }
    await mend();
    const cancelled = await operator.call<TopupOrder>(`${path}/cancel`, { body: { notes: 'checked' } });
    expect([cancelled.status, cancelled.payload.status]).toEqual([200, 'Cancelled']);
    expect(await client.balance()).toMatchObject({ currentBalance: 100_000, availableBalance: 100_000 });
    expect(expectSuccess(await client.call<TopupOrder>('/orders/topup', { body })).status).toBe('Cancelled');
  });
});

describe('a cart that is being sold (spec §6.2, §7.1)', () => {
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
});
