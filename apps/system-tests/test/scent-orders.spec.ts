import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { halalas } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { OrderSummary } from '../src/clients/resources';
import { lineMoney, sar, displayed, totalsOf } from '../src/clients/scent-arithmetic';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  readCart,
  readDiscountCode,
  readScentOrder,
  scentOrdersOf,
  Shelf,
  type CartView,
  type ScentOrder,
  type ShelfVariant,
} from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const shelf = new Shelf(operator);
const codeOf = ({ status, state }: ApiResponse<unknown>): [number, string] => [status, state];
const preview = (client: PartnerClient, query: string): Promise<ApiResponse<CartView>> =>
  client.call<CartView>(`/scent/cart/checkout-preview?${query}`);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TERMS = { commissionBasisPoints: 1_234, isVatRegistered: true };
const ENOUGH = 500;

let owner: TestPartner;
let stranger: TestPartner;
/** Two of one warehouse, one of another, one without VAT. */
let goods: ShelfVariant[];
let before: ShelfVariant[];

beforeAll(async () => {
  owner = await operator.newPartner({
    deposit: 100_000,
    settings: {
      displayCurrency: 'USD',
      commissionRate: TERMS.commissionBasisPoints / 10_000,
      isVatRegistered: true,
      taxRegistrationNumber: '300000000000003',
    },
  });
  stranger = await operator.newPartner({ deposit: 100, settings: { commissionRate: 0.1 } });
  before = await shelf.onOffer();
  const standard = before.filter(({ taxClassification }) => taxClassification === 'STANDARD');
  const first = standard[0]!;
  const near = standard.find(({ id, warehouse }) => id !== first.id && warehouse === first.warehouse)!;
  const far = standard.find(({ warehouse }) => warehouse !== first.warehouse)!;
  const zeroRated = before.find(({ taxClassification }) => taxClassification === 'ZERO')!;
  goods = await Promise.all(
    [first, near, far, zeroRated].map(({ id, listPrice }) =>
      shelf.set(id, { stockOnHand: ENOUGH, cost: Math.floor(listPrice / 3) }),
    ),
  );
});
afterAll(async () => {
  for (const { id } of goods) {
    const { stockOnHand, cost, listPrice } = before.find((variant) => variant.id === id)!;
    await shelf.set(id, { stockOnHand, cost, listPrice });
  }
});

/** A customer's cart with a unit of the first variant, or what is asked. */
async function cartOf(
  client: PartnerClient,
  lines: readonly (readonly [ShelfVariant, number])[] = [[goods[0]!, 1]],
): Promise<string> {
  const customerRef = `customer-${randomUUID()}`;
  for (const [{ id }, quantity] of lines) await addToCart(client, id, quantity, customerRef);
  return customerRef;
}

describe('the journey of a scent order (spec §7.4, §7.5, §7.6)', () => {
  test('when a cart is checked out, then every field of the order is what the specification computes', async () => {
    const [first, near, far, zeroRated] = goods as [ShelfVariant, ShelfVariant, ShelfVariant, ShelfVariant];
    const bought = [
      [first, 3],
      [far, 1],
      [near, 7],
      [zeroRated, 2],
    ] as const;
    const customerRef = await cartOf(owner.live, bought);
    const was = await Promise.all(bought.map(([{ id }]) => shelf.read(id)));
    const balance = await owner.live.balance();
    const seen = expectSuccess(await preview(owner.live, `customerRef=${customerRef}`));
    const body = newScentOrder({
      customerRef,
      sagaId: 'my-saga',
      geoScopeId: randomUUID(),
      partnerId: owner.id,
    });
    const order = expectSuccess(await orderScents(owner.live, body));

    const money = bought.map(([variant, quantity]) =>
      lineMoney(
        {
          listPrice: halalas(variant.listPrice),
          quantity,
          isZeroRated: variant.taxClassification === 'ZERO',
        },
        TERMS,
      ),
    );
    const { charged, credited } = totalsOf(money);
    expect(halalas(seen.chargedWithVat)).toBe(charged);
    const total = (pick: (line: (typeof money)[number]) => number): number =>
      sar(money.reduce((sum, line) => sum + pick(line), 0));
    const rate = order.rate!;
    expect(rate).toBe(balance.rate);
    expect(order).toEqual({
      id: expect.stringMatching(UUID),
      orderGlobalId: expect.any(String),
      sagaId: 'my-saga',
      partnerId: owner.id,
      externalReference: body.externalReference,
      customerRef,
      totalAmount: total(({ goods: amount }) => amount),
      totalCommission: total(({ commission }) => commission),
      currency: 'SAR',
      status: 'Processing',
      lines: bought.map(([variant, quantity], at) => {
        const { goods: amount, vat, commission, commissionVat } = money[at]!;
        const unitAmount = Math.round((amount * 100) / quantity) / 10_000;
        return {
          id: expect.stringMatching(UUID),
          variantId: variant.id,
          quantity,
          returnedQuantity: 0,
          unitAmount,
          lineTotal: sar(amount),
          partnerCommission: sar(commission),
          pricingMode: 'Live',
          source: variant.warehouse,
          taxClassification: variant.taxClassification,
          vatRateApplied: variant.taxClassification === 'ZERO' ? 0 : 0.15,
          lineGoodsVatAmount: sar(vat),
          lineCommissionVatAmount: sar(commissionVat),
          unitAmountDisplay: displayed(unitAmount, rate),
          lineTotalDisplay: displayed(sar(amount), rate),
          partnerCommissionDisplay: displayed(sar(commission), rate),
          fulfillmentGroupId: order.lines.find(({ source }) => source === variant.warehouse)!
            .fulfillmentGroupId,
        };
      }),
      fulfillmentGroups: expect.arrayContaining(
        [...new Set(order.lines.map(({ fulfillmentGroupId }) => fulfillmentGroupId))].map((id) => ({
          id,
          status: 'Pending',
          deliveredAt: null,
        })),
      ),
      deliveryRollup: {
        totalGroups: new Set(bought.map(([{ warehouse }]) => warehouse)).size,
        deliveredGroups: 0,
      },
      totalGoodsVatAmount: total(({ vat }) => vat),
      totalCommissionVatAmount: total(({ commissionVat }) => commissionVat),
      totalAmountWithVat: sar(charged),
      totalCommissionWithVat: sar(credited),
      taxPoint: expect.any(String),
      platformTaxRegistrationNumber: expect.any(String),
      partnerTaxRegistrationNumber: '300000000000003',
      partnerIsVatRegistered: true,
      displayCurrency: 'USD',
      rate,
      totalAmountDisplay: displayed(order.totalAmount, rate),
      shippingAddress: { ...body.shippingAddress, line2: null, region: null, postalCode: null },
      discountCode: null,
      discountAmount: null,
      submittedAt: expect.any(String),
      completedAt: null,
    });
    expect(order.fulfillmentGroups).toHaveLength(order.deliveryRollup.totalGroups);

    // Money, shelf and cart moved by exactly this order.
    const lines = (await owner.live.transactions()).filter((l) => l.referenceId === order.orderGlobalId);
    expect(lines.map((l) => [l.transactionType, l.referenceType, l.amount])).toEqual([
      ['Credit', 'Commission', sar(credited)],
      ['Debit', 'Order', sar(charged)],
    ]);
    const after = await owner.live.balance();
    expect(halalas(after.availableBalance)).toBe(halalas(balance.availableBalance) - charged + credited);
    expect(after.currentBalance).toBe(after.availableBalance);
    const is = await Promise.all(bought.map(([{ id }]) => shelf.read(id)));
    expect(is.map(({ stockOnHand, stockReserved }) => [stockOnHand, stockReserved])).toEqual(
      bought.map(([, quantity], at) => [was[at]!.stockOnHand - quantity, 0]),
    );
    const fresh = await readCart(owner.live, customerRef);
    expect(fresh).toMatchObject({ status: 'Open', items: [] });
    expect(fresh.id).not.toBe(seen.id);

    // Every way to read it, and the repetition, return the same.
    const ways = [`/orders/scent/${order.id}`, `/orders/scent/reference/${body.externalReference}`];
    for (const path of ways) expect(expectSuccess(await owner.live.call(path))).toEqual(order);
    expect(expectSuccess(await orderScents(owner.live, body))).toEqual(order);
    expect(await scentOrdersOf(owner.live)).toContainEqual(order);
    const summary = {
      productType: 'Scent',
      orderId: order.id,
      orderGlobalId: order.orderGlobalId,
      externalReference: body.externalReference,
      status: 'Processing',
      amount: order.totalAmountWithVat,
      currency: 'SAR',
      submittedAt: order.submittedAt,
      completedAt: null,
      customerRef,
      displayCurrency: 'USD',
      rate,
      amountDisplay: displayed(order.totalAmountWithVat, rate),
    };
    const single = await owner.live.call(`/orders/by-global-id/${order.orderGlobalId}`);
    expect(expectSuccess(single)).toEqual({ ...summary, order });
    const listed = await owner.live.call<{ items: OrderSummary[] }>(
      `/orders?productType=Scent&externalReference=${body.externalReference}`,
    );
    expect(expectSuccess(listed).items).toEqual([summary]);
    const narrowed = await owner.live.call<{ items: ScentOrder[] }>(
      `/orders/scent?status=Processing&customerRef=${customerRef}`,
    );
    expect(expectSuccess(narrowed).items).toEqual([order]);
  });

  test('when a lock with a code is used, then its prices hold against the live ones, once', async () => {
    const [variant] = goods as [ShelfVariant];
    const customerRef = await cartOf(owner.live, [[variant, 3]]);
    const code = await newDiscountCode(owner.live, { value: 7.5 });
    const locked = expectSuccess(
      await preview(owner.live, `customerRef=${customerRef}&lock=true&discountCode=${code.code}`),
    );
    await shelf.set(variant.id, { listPrice: variant.listPrice + 10 });
    const body = newScentOrder({
      customerRef,
      lockId: locked.lockId!,
      discountCode: code.code.toLowerCase(),
    });
    const order = expectSuccess(await orderScents(owner.live, body));
    await shelf.set(variant.id, { listPrice: variant.listPrice });
    const full = halalas(variant.listPrice) * 3;
    const discount = Math.floor((full * 750 * 2 + 10_000) / 20_000);
    const line = lineMoney(
      { listPrice: halalas(variant.listPrice), quantity: 3, isZeroRated: false, discountShare: discount },
      TERMS,
    );
    expect(order).toMatchObject({
      discountCode: code.code.toUpperCase(),
      discountAmount: sar(discount),
      totalAmount: sar(line.goods),
      totalAmountWithVat: locked.chargedWithVat,
      totalCommissionWithVat: sar(line.commission + line.commissionVat),
      lines: [
        {
          pricingMode: 'Locked',
          lineTotal: sar(line.goods),
          unitAmount: Math.round((line.goods * 100) / 3) / 10_000,
          unitAmountDisplay: expect.any(Number),
        },
      ],
    });
    expect((await readDiscountCode(owner.live, code.id)).usageCount).toBe(1);
    // Spent, though the next cart holds the same.
    await addToCart(owner.live, variant.id, 3, customerRef);
    const again = newScentOrder({ customerRef, lockId: locked.lockId! });
    expect(codeOf(await orderScents(owner.live, again))).toEqual([400, 'VALIDATION_PRICE_LOCK_INVALID']);
  });

  test('when the order says that the partner is not registered, then its commission bears no VAT', async () => {
    const customerRef = await cartOf(owner.live, [[goods[0]!, 2]]);
    const order = expectSuccess(
      await orderScents(owner.live, newScentOrder({ customerRef, partnerIsVatRegistered: false })),
    );
    expect(order).toMatchObject({
      partnerIsVatRegistered: false,
      totalCommissionVatAmount: 0,
      totalCommissionWithVat: order.totalCommission,
    });
  });

  test('when another partner or environment asks, then there is no such order, and no cart to check out', async () => {
    const customerRef = await cartOf(owner.live);
    const order = expectSuccess(await orderScents(owner.live, newScentOrder({ customerRef })));
    const open = await cartOf(owner.live);
    for (const client of [stranger.live, owner.sandbox]) {
      expect([
        codeOf(await client.call(`/orders/scent/${order.id}`)),
        codeOf(await client.call(`/orders/scent/reference/${order.externalReference}`)),
        codeOf(await client.call(`/orders/by-global-id/${order.orderGlobalId}`)),
        codeOf(await orderScents(client, newScentOrder({ customerRef: open }))),
      ]).toEqual([
        [404, 'NOT_FOUND_SCENT_ORDER'],
        [404, 'NOT_FOUND_SCENT_ORDER'],
        [404, 'NOT_FOUND_ORDER'],
        [422, 'BUSINESS_CART_EMPTY'],
      ]);
      expect(await scentOrdersOf(client)).toEqual([]);
    }
    expect((await readCart(owner.live, open)).items).toHaveLength(1);
    const lock = expectSuccess(await preview(owner.live, `customerRef=${open}&lock=true`)).lockId!;
    const theirs = await cartOf(stranger.live);
    const stolen = await orderScents(stranger.live, newScentOrder({ customerRef: theirs, lockId: lock }));
    expect(codeOf(stolen)).toEqual([400, 'VALIDATION_PRICE_LOCK_INVALID']);
  });
});

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
    const customerRef = await cartOf(owner.live, [[variant, 2]]);
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

  test('when the wallet is short or missing, then nothing is kept, and a deposit makes the same body pass', async () => {
    const poor = await operator.newPartner({ deposit: 0 });
    const customerRef = await cartOf(poor.live, [[goods[0]!, 2]]);
    const body = newScentOrder({ customerRef });
    await expectRefusal(poor.live, body, [422, 'BUSINESS_INSUFFICIENT_BALANCE']);
    await operator.credit(poor.id, 'live', 10_000);
    expectSuccess(await orderScents(poor.live, body));
    const walletless = await operator.newPartner();
    const theirs = await cartOf(walletless.live);
    const response = await orderScents(walletless.live, newScentOrder({ customerRef: theirs }));
    expect(codeOf(response)).toEqual([404, 'NOT_FOUND_WALLET']);
    expect((await readCart(walletless.live, theirs)).items).toHaveLength(1);
  });

  test('when a lock is unknown, stale or of another code, then its code says so (spec §6.6)', async () => {
    const customerRef = await cartOf(owner.live, [[goods[0]!, 2]]);
    const lock = async (more = ''): Promise<string> =>
      expectSuccess(await preview(owner.live, `customerRef=${customerRef}&lock=true${more}`)).lockId!;
    const refuse = (more: object, code: [number, string]): Promise<ApiResponse<ScentOrder>> =>
      expectRefusal(owner.live, newScentOrder({ customerRef, ...more }), code);
    const invalid: [number, string] = [400, 'VALIDATION_PRICE_LOCK_INVALID'];
    await refuse({ lockId: randomUUID() }, invalid);
    const code = await newDiscountCode(owner.live);
    const [plain, coded] = [await lock(), await lock(`&discountCode=${code.code}`)];
    for (const more of [
      { lockId: plain, discountCode: code.code },
      { lockId: coded, discountCode: 'ANOTHER' },
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
    const other = await cartOf(owner.live);
    const of = newScentOrder({ customerRef: other, lockId: await lock() });
    await expectRefusal(owner.live, of, invalid);
    expect((await readDiscountCode(owner.live, code.id)).usageCount).toBe(0);
  });

  test('when there is no cart or an empty one, then BUSINESS_CART_EMPTY; the bare cart is one of its own', async () => {
    const customerRef = await cartOf(owner.sandbox);
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
    const customerRef = await cartOf(owner.live);
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
    const customerRef = await cartOf(stranger.live);
    const response = await orderScents(stranger.live, { ...newScentOrder({ customerRef }), ...change });
    expect(codeOf(response)).toEqual([400, 'VALIDATION_FAILED']);
    expect((response.details.errors ?? []).map(({ path }) => path).sort()).toEqual(fields);
  });

  test('when a body names another partner, then FORBIDDEN_PARTNER_MISMATCH; 200 characters are fine', async () => {
    const customerRef = await cartOf(owner.live);
    const foreign = newScentOrder({ customerRef, partnerId: stranger.id });
    expect(codeOf(await orderScents(owner.live, foreign))).toEqual([403, 'FORBIDDEN_PARTNER_MISMATCH']);
    const recipient = '寿'.repeat(200);
    const long = newScentOrder({ customerRef, shippingAddress: { ...address, recipient } });
    const order = expectSuccess(await orderScents(owner.live, long));
    expect((await readScentOrder(owner.live, order.id)).shippingAddress['recipient']).toBe(recipient);
  });
});
