import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { halalas } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { OrderSummary } from '../src/clients/resources';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { displayed, lineMoney, sar, totalsOf } from '../src/clients/scent-arithmetic';
import { ScentMarket, TERMS } from '../src/clients/scent-market';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  readCart,
  readDiscountCode,
  scentOrdersOf,
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
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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

describe('the journey of a scent order (spec §7.4, §7.5, §7.6)', () => {
  test('when a cart is checked out, then every field of the order is what the specification computes', async () => {
    const [first, near, far, zeroRated] = goods as [ShelfVariant, ShelfVariant, ShelfVariant, ShelfVariant];
    const bought = [
      [first, 3],
      [far, 1],
      [near, 7],
      [zeroRated, 2],
    ] as const;
    const customerRef = await market.cartOf(owner.live, bought);
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
    const customerRef = await market.cartOf(owner.live, [[variant, 3]]);
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
    // A repetition may spell the code otherwise (spec §1.12).
    const repeated = await orderScents(owner.live, { ...body, discountCode: code.code.toUpperCase() });
    expect(expectSuccess(repeated).id).toBe(order.id);
    expect((await readDiscountCode(owner.live, code.id)).usageCount).toBe(1);
    // Spent, though the next cart holds the same.
    await addToCart(owner.live, variant.id, 3, customerRef);
    const again = newScentOrder({ customerRef, lockId: locked.lockId! });
    expect(codeOf(await orderScents(owner.live, again))).toEqual([400, 'VALIDATION_PRICE_LOCK_INVALID']);
  });

  test('when the order says that the partner is not registered, then its commission bears no VAT', async () => {
    const customerRef = await market.cartOf(owner.live, [[goods[0]!, 2]]);
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
    const customerRef = await market.cartOf(owner.live);
    const order = expectSuccess(await orderScents(owner.live, newScentOrder({ customerRef })));
    const open = await market.cartOf(owner.live);
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
    const theirs = await market.cartOf(stranger.live);
    const stolen = await orderScents(stranger.live, newScentOrder({ customerRef: theirs, lockId: lock }));
    expect(codeOf(stolen)).toEqual([400, 'VALIDATION_PRICE_LOCK_INVALID']);
  });
});
