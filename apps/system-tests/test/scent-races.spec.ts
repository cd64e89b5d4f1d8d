import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { halalas } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  readCart,
  readDiscountCode,
  scentOrdersOf,
  Shelf,
  type ScentOrder,
  type ShelfVariant,
} from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const shelf = new Shelf(operator);
let variant: ShelfVariant;
let before: ShelfVariant;
let partner: TestPartner;
let client: PartnerClient;

beforeAll(async () => {
  before = (await shelf.onOffer()).at(-1)!;
});
beforeEach(async () => {
  variant = await shelf.set(before.id, { stockOnHand: 1_000, cost: 0 });
  partner = await operator.newPartner({ deposit: 1_000_000, settings: { commissionRate: 0.1 } });
  client = partner.live;
  await client.accessToken();
});
afterAll(async () => {
  await shelf.set(before.id, { stockOnHand: before.stockOnHand, cost: before.cost });
});

const times = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));
const sold = (responses: readonly ApiResponse<ScentOrder>[]): ScentOrder[] =>
  responses.filter(({ status }) => status === 200).map(({ payload }) => payload);
const refusalsOf = (responses: readonly ApiResponse<ScentOrder>[]): string[] =>
  responses.filter(({ status }) => status !== 200).map(({ status, state }) => `${status} ${state}`);
const onHand = async (): Promise<[number, number]> => {
  const { stockOnHand, stockReserved } = await shelf.read(variant.id);
  return [stockOnHand, stockReserved];
};

async function fill(quantity: number, owner = client): Promise<string> {
  const customerRef = `racer-${randomUUID()}`;
  await addToCart(owner, variant.id, quantity, customerRef);
  return customerRef;
}

/** The wallet holds nothing back and is its deposit less exactly these orders. */
async function expectPaid(orders: readonly ScentOrder[], deposit: number, owner = client): Promise<void> {
  const spent = orders.reduce(
    (sum, order) => sum + halalas(order.totalAmountWithVat) - halalas(order.totalCommissionWithVat),
    0,
  );
  const { currentBalance, availableBalance } = await owner.balance();
  expect([halalas(currentBalance), halalas(availableBalance)]).toEqual(
    Array(2).fill(halalas(deposit) - spent),
  );
  expect(await owner.transactions()).toHaveLength(1 + 2 * orders.length);
}

const LOST = [
  '409 CONFLICT_CART_HAS_PENDING_ORDER',
  '409 CONFLICT_CART_CHECKOUT_RACE',
  '422 BUSINESS_CART_EMPTY',
];

test.each([2, 12])(
  'when %i checkouts of one cart come at once, then there is one order, and the others get the reason',
  async (rivals) => {
    const customerRef = await fill(2);
    const responses = await times(rivals, () => orderScents(client, newScentOrder({ customerRef })));
    const orders = sold(responses);
    expect(orders).toHaveLength(1);
    for (const refusal of refusalsOf(responses)) expect(LOST).toContain(refusal);
    expect(await scentOrdersOf(client)).toEqual(orders);
    expect(await onHand()).toEqual([998, 0]);
    await expectPaid(orders, 1_000_000);
  },
);

test('when one checkout is sent twenty times at once, then every response is the one order', async () => {
  const body = newScentOrder({ customerRef: await fill(1) });
  const responses = await times(20, () => orderScents(client, body));
  const [order] = await scentOrdersOf(client);
  expect(new Set(refusalsOf(responses))).toEqual(new Set());
  for (const repeated of sold(responses)) expect(repeated).toEqual(order);
  expect(await onHand()).toEqual([999, 0]);
  await expectPaid([order!], 1_000_000);
});

test('when twenty checkouts race for the last seven units, then seven are sold', async () => {
  await shelf.set(variant.id, { stockOnHand: 7 });
  const carts = await times(20, () => fill(1));
  const responses = await Promise.all(
    carts.map((customerRef) => orderScents(client, newScentOrder({ customerRef }))),
  );
  const orders = sold(responses);
  expect(orders).toHaveLength(7);
  expect(refusalsOf(responses)).toEqual(Array(13).fill('422 BUSINESS_INSUFFICIENT_STOCK'));
  expect(await onHand()).toEqual([0, 0]);
  await expectPaid(orders, 1_000_000);
  // The losers' carts are as they were.
  const left = await Promise.all(carts.map((customerRef) => readCart(client, customerRef)));
  expect(left.filter(({ items }) => items.length === 1)).toHaveLength(13);
});

test('when fifteen orders race for a code of four, then four have it and the others are refused', async () => {
  const code = await newDiscountCode(client, { totalUsageCap: 4 });
  const carts = await times(15, () => fill(1));
  const responses = await Promise.all(
    carts.map((customerRef) => orderScents(client, newScentOrder({ customerRef, discountCode: code.code }))),
  );
  const orders = sold(responses);
  expect(orders.map(({ discountCode }) => discountCode)).toEqual(Array(4).fill(code.code.toUpperCase()));
  expect(refusalsOf(responses)).toEqual(Array(11).fill('422 BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE'));
  for (const { status, details } of responses)
    if (status === 422) expect(details).toMatchObject({ reason: 'UsageCapReached' });
  expect((await readDiscountCode(client, code.id)).usageCount).toBe(4);
  expect(await onHand()).toEqual([996, 0]);
});

test('when a checkout with a code is refused, then its slot is free for the next; a customer has it once', async () => {
  const code = await newDiscountCode(client, { totalUsageCap: 1, perCustomerCap: 1 });
  const customerRef = await fill(2);
  const body = newScentOrder({ customerRef, discountCode: code.code });
  await shelf.set(variant.id, { stockOnHand: 1 });
  expect((await orderScents(client, body)).state).toBe('BUSINESS_INSUFFICIENT_STOCK');
  await shelf.set(variant.id, { stockOnHand: 10 });
  expectSuccess(await orderScents(client, body));
  const twice = await newDiscountCode(client, { perCustomerCap: 1 });
  const reasons = [];
  for (let at = 0; at < 2; at += 1) {
    await addToCart(client, variant.id, 1, customerRef);
    const next = await orderScents(client, newScentOrder({ customerRef, discountCode: twice.code }));
    reasons.push([next.status, (next.details as { reason?: string }).reason]);
  }
  expect(reasons).toEqual([
    [200, undefined],
    [422, 'CustomerCapReached'],
  ]);
});

test('when checkouts race for the last money, then no more are paid than it covers', async () => {
  const each = halalas(variant.listPrice) + Math.round((halalas(variant.listPrice) * 15) / 100);
  // For three: commission that is credited on the way may pay for one more at the most.
  const deposit = (3 * each) / 100;
  const poor = await operator.newPartner({ deposit, settings: { commissionRate: 0 } });
  const carts = await times(8, () => fill(1, poor.live));
  const responses = await Promise.all(
    carts.map((customerRef) => orderScents(poor.live, newScentOrder({ customerRef }))),
  );
  expect(sold(responses)).toHaveLength(3);
  expect(refusalsOf(responses)).toEqual(Array(5).fill('422 BUSINESS_INSUFFICIENT_BALANCE'));
  const { currentBalance, availableBalance } = await poor.live.balance();
  expect([currentBalance, availableBalance]).toEqual([0, 0]);
  expect(await onHand()).toEqual([997, 0]);
});

test('when adds and checkouts of one cart meet, then every unit that was added is sold or still in a cart', async () => {
  const customerRef = await fill(1);
  const results = await times(24, async (at) => {
    if (at % 4 === 3) return orderScents(client, newScentOrder({ customerRef }));
    const path = `/scent/cart/items?customerRef=${customerRef}`;
    return client.call<ScentOrder>(path, { body: { variantId: variant.id, quantity: 1 } });
  });
  const added = results.filter(({ status }, at) => at % 4 !== 3 && status === 200).length + 1;
  for (const refusal of refusalsOf(results)) expect(LOST).toContain(refusal);
  const orders = await scentOrdersOf(client);
  expect(orders).toHaveLength(sold(results.filter((_, at) => at % 4 === 3)).length);
  const units = orders.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);
  const left = (await readCart(client, customerRef)).items[0]?.quantity ?? 0;
  expect(units + left).toBe(added);
  expect(await onHand()).toEqual([1_000 - units, 0]);
  await expectPaid(orders, 1_000_000);
});
