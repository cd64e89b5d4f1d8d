import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { ENOUGH, ScentMarket } from '../src/clients/scent-market';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  readCart,
  readDiscountCode,
  readScentOrder,
  type Shelf,
  type CartView,
  type ScentOrder,
  type ShelfVariant,
} from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const codeOf = ({ status, state }: ApiResponse<unknown>): [number, string] => [status, state];
const preview = (client: PartnerClient, query: string): Promise<ApiResponse<CartView>> =>
  client.call<CartView>(`/scent/cart/checkout-preview?${query}`);

let market: ScentMarket;
let owner: TestPartner;
let stranger: TestPartner;
let goods: readonly ShelfVariant[];
let shelf: Shelf;
beforeAll(async () => {
  market = await ScentMarket.open(operator);
  ({ owner, stranger, goods, shelf } = market);
});
afterAll(() => market.close());

describe('a refused checkout (spec §7.1, §7.2)', () => {
  /** Refused, and nothing is left: the cart is open as it was, no unit and no halala is held, the reference is free. */
  async function expectRefusal(
    client: PartnerClient,
    body: ReturnType<typeof newScentOrder>,
    code: [number, string],
  ): Promise<ApiResponse<ScentOrder>> {
    const { customerRef } = body;
    const [cart, balance] = [await readCart(client, customerRef), await client.balance()];
    const response = await orderScents(client, body);
    expect(codeOf(response)).toEqual(code);
    expect(response.payload).toBeNull();
    expect(await readCart(client, customerRef)).toMatchObject({
      id: cart.id,
      status: 'Open',
      items: cart.items,
    });
    expect(await client.balance()).toEqual(balance);
    const held = await Promise.all(goods.map(({ id }) => shelf.read(id)));
    expect(held.map(({ stockReserved }) => stockReserved)).toEqual(goods.map(() => 0));
    const found = await client.call(`/orders/scent/reference/${body.externalReference}`);
    expect(codeOf(found)).toEqual([404, 'NOT_FOUND_SCENT_ORDER']);
    return response;
  }

  test('when a rule is against it, then it is refused with its code, and passes once the rule does', async () => {
    const [variant] = goods as [ShelfVariant];
    const { cost } = await shelf.read(variant.id);
    const customerRef = await market.cartOf(owner.live, [[variant, 2]]);
    const body = newScentOrder({ customerRef });
    await shelf.set(variant.id, { cost: variant.listPrice + 1 });
    await expectRefusal(owner.live, body, [422, 'BUSINESS_PRICE_BELOW_COST']);
    // Under 5% are left: 100 − 12.34 − 83.
    await shelf.set(variant.id, { cost: Math.ceil(variant.listPrice * 0.83 * 100) / 100 });
    await expectRefusal(owner.live, body, [422, 'BUSINESS_MARGIN_BELOW_FLOOR']);
    await shelf.set(variant.id, { cost, stockOnHand: 1 });
    await expectRefusal(owner.live, body, [422, 'BUSINESS_INSUFFICIENT_STOCK']);
    await shelf.set(variant.id, { stockOnHand: ENOUGH, isActive: false });
    await expectRefusal(owner.live, body, [422, 'BUSINESS_INSUFFICIENT_STOCK']);
    await shelf.set(variant.id, { isActive: true });
    const unknown = newScentOrder({ ...body, discountCode: 'NO-SUCH-CODE' });
    const response = await expectRefusal(owner.live, unknown, [422, 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE']);
    expect(response.details).toMatchObject({ reason: 'Unknown' });
    expectSuccess(await orderScents(owner.live, body));
  });

  test('when a limit on spending is passed, then it says which, and without it the same body passes (spec §17.5)', async () => {
    const limited = await operator.newPartner({ deposit: 10_000 });
    const customerRef = await market.cartOf(limited.live, [[goods[0]!, 2]]);
    const { chargedWithVat } = await readCart(limited.live, customerRef);
    const body = newScentOrder({ customerRef });
    const limit = (limits: object) =>
      operator.call(`/partners/${limited.id}/limits`, {
        method: 'PUT',
        body: { environment: 'live', ...limits },
      });
    const less = Number((chargedWithVat - 0.01).toFixed(2));
    for (const [name, code] of [
      ['maxOrderAmount', 'BUSINESS_ORDER_AMOUNT_LIMIT'],
      ['dailySpend', 'BUSINESS_SPENDING_LIMIT'],
    ] as const) {
      expectSuccess(await limit({ [name]: less }));
      const { details } = await expectRefusal(limited.live, body, [422, code]);
      expect(details).toMatchObject({ limit: less });
    }
    expectSuccess(await limit({ maxOrderAmount: chargedWithVat, dailySpend: chargedWithVat }));
    expectSuccess(await orderScents(limited.live, body));
    const { payload } = await limited.live.call('/wallet/limits');
    expect(payload).toMatchObject({ spentToday: chargedWithVat });
  });

  test('when the wallet is short or missing, then nothing is kept, and a deposit makes the same body pass', async () => {
    const poor = await operator.newPartner({ deposit: 0 });
    const customerRef = await market.cartOf(poor.live, [[goods[0]!, 2]]);
    const body = newScentOrder({ customerRef });
    await expectRefusal(poor.live, body, [422, 'BUSINESS_INSUFFICIENT_BALANCE']);
    await operator.credit(poor.id, 'live', 10_000);
    expectSuccess(await orderScents(poor.live, body));
    const walletless = await operator.newPartner();
    const theirs = await market.cartOf(walletless.live);
    const response = await orderScents(walletless.live, newScentOrder({ customerRef: theirs }));
    expect(codeOf(response)).toEqual([404, 'NOT_FOUND_WALLET']);
    expect((await readCart(walletless.live, theirs)).items).toHaveLength(1);
  });

  test('when a lock is unknown, stale or of another code, then its code says so (spec §6.6)', async () => {
    const customerRef = await market.cartOf(owner.live, [[goods[0]!, 2]]);
    const lock = async (more = ''): Promise<string> =>
      expectSuccess(await preview(owner.live, `customerRef=${customerRef}&lock=true${more}`)).lockId!;
    const refuse = (more: object, code: [number, string]): Promise<ApiResponse<ScentOrder>> =>
      expectRefusal(owner.live, newScentOrder({ customerRef, ...more }), code);
    const invalid: [number, string] = [400, 'VALIDATION_PRICE_LOCK_INVALID'];
    await refuse({ lockId: randomUUID() }, invalid);
    const code = await newDiscountCode(owner.live, { code: `S-${randomUUID()}` });
    const [plain, coded] = [await lock(), await lock(`&discountCode=${code.code}`)];
    for (const more of [
      { lockId: plain, discountCode: code.code },
      { lockId: coded, discountCode: 'ANOTHER' },
      // In capitals ſ is S, yet it is in no code.
      { lockId: coded, discountCode: code.code.replace('S', 'ſ') },
    ]) {
      const response = await refuse(more, [400, 'VALIDATION_FAILED']);
      expect(response.details.errors?.map(({ path }) => path)).toEqual(['discountCode']);
    }
    // A change that is undone again leaves it stale.
    await addToCart(owner.live, goods[1]!.id, 1, customerRef);
    await owner.live.call(`/scent/cart/items/${goods[1]!.id}?customerRef=${customerRef}`, {
      method: 'DELETE',
    });
    await refuse({ lockId: plain }, invalid);
    await refuse({ lockId: coded, discountCode: code.code }, invalid);
    const other = await market.cartOf(owner.live);
    const of = newScentOrder({ customerRef: other, lockId: await lock() });
    await expectRefusal(owner.live, of, invalid);
    expect((await readDiscountCode(owner.live, code.id)).usageCount).toBe(0);
  });

  test('when there is no cart or an empty one, then BUSINESS_CART_EMPTY; the bare cart is one of its own', async () => {
    const customerRef = await market.cartOf(owner.sandbox);
    const empty: [number, string] = [422, 'BUSINESS_CART_EMPTY'];
    expect(codeOf(await orderScents(owner.sandbox, newScentOrder()))).toEqual(empty);
    expect(codeOf(await orderScents(owner.sandbox, newScentOrder({ customerRef: randomUUID() })))).toEqual(
      empty,
    );
    await addToCart(owner.sandbox, goods[0]!.id, 1);
    const bare = expectSuccess(await orderScents(owner.sandbox, newScentOrder()));
    expect(bare.customerRef).toBeNull();
    expect((await readCart(owner.sandbox, customerRef)).items).toHaveLength(1);
  });

  test('when a reference comes again with another body, then the fields are named, whatever they are', async () => {
    const customerRef = await market.cartOf(owner.live);
    const body = newScentOrder({ customerRef });
    const order = expectSuccess(await orderScents(owner.live, body));
    const { shippingAddress } = body;
    for (const [changes, fields] of [
      [{ shippingAddress: { ...shippingAddress, city: 'Jeddah' } }, ['shippingAddress']],
      [{ customerRef: 'another', lockId: randomUUID() }, ['customerRef', 'lockId']],
      [{ partnerIsVatRegistered: true }, ['partnerIsVatRegistered']],
    ] as const) {
      const response = await orderScents(owner.live, { ...body, ...changes });
      expect(codeOf(response)).toEqual([409, 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE']);
      expect([...(response.details.mismatchedFields ?? [])].sort()).toEqual(fields);
    }
    // Null is absent, and the order of keys says nothing.
    const same = { ...body, lockId: null, shippingAddress: { line2: null, ...shippingAddress } };
    expect(expectSuccess(await orderScents(owner.live, same))).toEqual(order);
  });

  const address = newScentOrder().shippingAddress;
  const { recipient: _, ...nameless } = address;
  test.each<{ what: string; change: object; fields: string[] }>([
    {
      what: 'an unknown country',
      change: { shippingAddress: { ...address, country: 'ZZ' } },
      fields: ['shippingAddress.country'],
    },
    {
      what: 'a country in lower case',
      change: { shippingAddress: { ...address, country: 'sa' } },
      fields: ['shippingAddress.country'],
    },
    { what: 'no recipient', change: { shippingAddress: nameless }, fields: ['shippingAddress.recipient'] },
    { what: 'no address', change: { shippingAddress: undefined }, fields: ['shippingAddress'] },
    {
      what: 'an address of nothing',
      change: { shippingAddress: {} },
      fields: [
        'shippingAddress.city',
        'shippingAddress.country',
        'shippingAddress.line1',
        'shippingAddress.phone',
        'shippingAddress.recipient',
      ],
    },
    {
      what: 'an empty city',
      change: { shippingAddress: { ...address, city: '' } },
      fields: ['shippingAddress.city'],
    },
    {
      what: 'a long line',
      change: { shippingAddress: { ...address, line2: 'x'.repeat(201) } },
      fields: ['shippingAddress.line2'],
    },
    {
      what: 'a phone as number',
      change: { shippingAddress: { ...address, phone: 966 } },
      fields: ['shippingAddress.phone'],
    },
    {
      what: 'an unknown part of the address',
      change: { shippingAddress: { ...address, planet: 'Earth' } },
      fields: ['shippingAddress.planet'],
    },
    { what: 'lines', change: { lines: [] }, fields: ['lines'] },
    { what: 'a partnerGlobalId', change: { partnerGlobalId: 'X' }, fields: ['partnerGlobalId'] },
    { what: 'no reference', change: { externalReference: undefined }, fields: ['externalReference'] },
    { what: 'a lock that is no uuid', change: { lockId: 'x' }, fields: ['lockId'] },
    { what: 'a geo scope that is no uuid', change: { geoScopeId: 'GEO-SA' }, fields: ['geoScopeId'] },
    { what: 'an empty customer', change: { customerRef: '' }, fields: ['customerRef'] },
    {
      what: 'text for a flag',
      change: { partnerIsVatRegistered: 'true' },
      fields: ['partnerIsVatRegistered'],
    },
    {
      what: 'a registration without a number',
      change: { partnerIsVatRegistered: true },
      fields: ['partnerTaxRegistrationNumber'],
    },
  ])('when a body has $what, then VALIDATION_FAILED names it', async ({ change, fields }) => {
    const customerRef = await market.cartOf(stranger.live);
    const response = await orderScents(stranger.live, { ...newScentOrder({ customerRef }), ...change });
    expect(codeOf(response)).toEqual([400, 'VALIDATION_FAILED']);
    expect((response.details.errors ?? []).map(({ path }) => path).sort()).toEqual(fields);
  });

  test('when a body names another partner, then FORBIDDEN_PARTNER_MISMATCH; 200 characters are fine', async () => {
    const customerRef = await market.cartOf(owner.live);
    const foreign = newScentOrder({ customerRef, partnerId: stranger.id });
    expect(codeOf(await orderScents(owner.live, foreign))).toEqual([403, 'FORBIDDEN_PARTNER_MISMATCH']);
    const recipient = '寿'.repeat(200);
    const long = newScentOrder({ customerRef, shippingAddress: { ...address, recipient } });
    const order = expectSuccess(await orderScents(owner.live, long));
    expect((await readScentOrder(owner.live, order.id)).shippingAddress['recipient']).toBe(recipient);
  });
});
