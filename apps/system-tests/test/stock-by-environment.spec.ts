import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import { expectSuccess } from '../src/clients/response';
import { addToCart, newScentOrder, orderScents, Shelf, type ShelfVariant } from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const shelf = new Shelf(operator);
let partner: TestPartner;
let before: ShelfVariant;
const path = () => `/variants/${before.id}`;

beforeAll(async () => {
  before = (await shelf.onOffer()).at(-2)!;
  await shelf.set(before.id, { stockOnHand: 3, cost: 0 });
  partner = await operator.newPartner({ deposit: 1_000_000 });
});
afterAll(() => shelf.set(before.id, { stockOnHand: before.stockOnHand, cost: before.cost }));

const stock = async (): Promise<Record<string, number[]>> =>
  Object.fromEntries(
    (await shelf.read(before.id)).stock.map((level) => [
      level.environment,
      [level.stockOnHand, level.stockReserved],
    ]),
  );
const availabilityTo = async (client: PartnerClient): Promise<unknown> =>
  expectSuccess(await client.call(`/scent/variants/${before.id}/availability`));
const buy = async (client: PartnerClient, quantity: number) => {
  await addToCart(client, before.id, quantity);
  return orderScents(client, newScentOrder());
};

test('when the sandbox buys all there is, then live has all of its own, and the sandbox has no more (spec §2.1)', async () => {
  expectSuccess(await buy(partner.sandbox, 3));
  expect(await stock()).toEqual({ live: [3, 0], sandbox: [0, 0] });
  expect(await availabilityTo(partner.sandbox)).toMatchObject({
    availability: 'Unavailable',
    availableQuantity: 0,
  });
  expect(await availabilityTo(partner.live)).toMatchObject({ availability: 'Limited', availableQuantity: 3 });
  expect(await buy(partner.sandbox, 1)).toMatchObject({ status: 422, state: 'BUSINESS_INSUFFICIENT_STOCK' });
  expectSuccess(await buy(partner.live, 2));
  expect(await stock()).toEqual({ live: [1, 0], sandbox: [0, 0] });
});

test('when an operator changes stock by an expected number or a delta, then a stale one is refused and deltas add up (spec §18.8)', async () => {
  await shelf.set(before.id, { stockOnHand: 10 });
  const stale = { environment: 'live', stockOnHand: 20, expectedStockOnHand: 9 };
  expect(await operator.call(path(), { method: 'PATCH', body: stale })).toMatchObject({
    status: 409,
    state: 'CONFLICT_STOCK_CHANGED',
    details: { stockOnHand: 10 },
  });
  await Promise.all(
    [1, 2, 3, 4].map((delta) => operator.post(`${path()}/stock`, { environment: 'live', delta })),
  );
  await operator.post(`${path()}/stock`, { delta: -10 });
  expect(await stock()).toEqual({ live: [10, 0], sandbox: [0, 0] });
  expect(await operator.call(`${path()}/stock`, { body: { delta: -1 } })).toMatchObject({
    status: 400,
    state: 'VALIDATION_FAILED',
    details: { errors: [{ path: 'delta' }] },
  });
  expect(await stock()).toEqual({ live: [10, 0], sandbox: [0, 0] });
});
