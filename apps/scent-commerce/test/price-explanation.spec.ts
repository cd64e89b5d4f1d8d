import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Checkout,
  Environment,
  type CartLine,
  type PriceExplanation,
  type PriceStep,
} from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { codeOf, findStepFault } from '@reseller/testing';
import { addVariant } from './catalog-data';
import { checkoutCalls, newCall, newKey } from './checkout-calls';
import { addCode } from './discount-data';
import { knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const { begin, cancel, add, lock } = checkoutCalls(() => scents);

/** Three lines of which one is without VAT, in a cart of a registered partner, and a code of 10.00 off for the other two. */
async function discountedCart(): Promise<CallContext> {
  const { call } = await knowPartner(scents, { isVatRegistered: true, commissionRate: '0.123456' });
  const variants = [
    await addVariant(scents.database, { listPrice: '100.01', cost: '1.00', onHand: 99 }),
    await addVariant(scents.database, {
      listPrice: '33.35',
      cost: '1.00',
      onHand: 99,
      taxClassification: 'ZERO',
    }),
    await addVariant(scents.database, { listPrice: '66.67', cost: '1.00', onHand: 99 }),
  ];
  for (const [index, variantId] of variants.entries()) await add(call, variantId, 3 + 4 * index);
  const scopedVariantIds = [variants[0]!, variants[2]!];
  await addCode(scents.database, call, {
    code: 'TEN',
    discountType: 'FixedAmount',
    value: '10.00',
    scopedVariantIds,
  });
  return call;
}

const explain = async (call: CallContext, orderKey: string): Promise<PriceExplanation> => {
  const { explanation } = await scents.priceExplanations.getPriceExplanation({ orderKey }, call);
  return explanation!;
};

const faultsOf = ({ lines, totals }: PriceExplanation) =>
  [...lines.flatMap(({ steps }) => steps), ...totals].flatMap((step) => findStepFault(step) ?? []);
const lastOf = (steps: readonly PriceStep[], names: object) =>
  Object.fromEntries(steps.slice(-Object.keys(names).length).map(({ name, result }) => [name, result]));

/** The figures of the order that is made of a checkout, by the names that partners know. */
const figuresOf = (checkout: Checkout) => ({
  lines: checkout.lines.map(({ goods, unitGoods, commission, goodsVat, commissionVat }) => ({
    lineTotal: goods,
    unitAmount: unitGoods,
    partnerCommission: commission,
    lineGoodsVatAmount: goodsVat,
    lineCommissionVatAmount: commissionVat,
  })),
  totals: {
    ...(checkout.discount && { discountAmount: checkout.discount.amount }),
    totalAmount: checkout.totalAmount,
    totalCommission: checkout.totalCommission,
    totalGoodsVatAmount: checkout.totalGoodsVat,
    totalCommissionVatAmount: checkout.totalCommissionVat,
    totalAmountWithVat: checkout.totalAmountWithVat,
    totalCommissionWithVat: checkout.totalCommissionWithVat,
  },
});

function expectExplained(explanation: PriceExplanation, checkout: Checkout): void {
  expect(faultsOf(explanation)).toEqual([]);
  const { lines, totals } = figuresOf(checkout);
  expect(explanation.lines.map(({ variantId, quantity }) => [variantId, quantity])).toEqual(
    checkout.lines.map(({ variantId, quantity }) => [variantId, quantity]),
  );
  expect(explanation.lines.map(({ steps }, index) => lastOf(steps, lines[index]!))).toEqual(lines);
  expect(lastOf(explanation.totals, totals)).toEqual(totals);
}

/** Changes what is stored of a checkout, as an older version or another rule would have left it. */
async function rewrite(orderKey: string, change: (checkout: Checkout) => Checkout): Promise<void> {
  const { pool } = scents.database;
  const { rows } = await pool.query<{ response: Buffer }>(
    'SELECT response FROM checkouts WHERE order_key = $1',
    [orderKey],
  );
  const changed = Checkout.encode(change(Checkout.decode(rows[0]!.response))).finish();
  await pool.query('UPDATE checkouts SET response = $2 WHERE order_key = $1', [
    orderKey,
    Buffer.from(changed),
  ]);
}

describe('the explanation of an order’s price (spec §17.2)', () => {
  it('when prices, rates and the code change and the order is cancelled, then its figures are explained as before', async () => {
    const call = await discountedCart();
    const orderKey = newKey();
    const checkout = await begin(call, orderKey, { discountCode: 'ten' });
    const explained = await explain(call, orderKey);
    expectExplained(explained, checkout);
    const { pool } = scents.database;
    await pool.query('UPDATE variants SET list_price = 500 WHERE id = ANY ($1)', [
      checkout.lines.map(({ variantId }) => variantId),
    ]);
    await pool.query(
      'UPDATE partner_profiles SET commission_rate = 0.5, is_vat_registered = false WHERE partner_id = $1',
      [call.partner!.partnerId],
    );
    await cancel(call, orderKey);
    expect(await explain(call, orderKey)).toEqual(explained);
  });

  it('when an order uses a lock, then the locked prices are explained, with the commission’s VAT of the order', async () => {
    const call = await discountedCart();
    const lockId = await lock(call, 'TEN');
    await scents.database.pool.query('UPDATE variants SET list_price = list_price * 2');
    const orderKey = newKey();
    const checkout = await begin(call, orderKey, { lockId, partnerIsVatRegistered: false });
    expectExplained(await explain(call, orderKey), checkout);
    expect(checkout.totalCommissionVat).toBe('0.00');
  });

  it('when the checkout is from before its basis was kept, then its figures are explained all the same', async () => {
    const call = await discountedCart();
    const orderKey = newKey();
    const checkout = await begin(call, orderKey, { discountCode: 'TEN' });
    const explained = await explain(call, orderKey);
    await rewrite(orderKey, (stored) => ({
      ...stored,
      commissionVatRate: undefined,
      lines: stored.lines.map((line) => ({ ...line, isDiscounted: undefined })),
    }));
    expect(await explain(call, orderKey)).toEqual(explained);
    expectExplained(explained, checkout);
  });

  it('when an order was charged otherwise than its basis says, then no explanation is made up', async () => {
    const call = await discountedCart();
    const orderKey = newKey();
    await begin(call, orderKey);
    await rewrite(orderKey, (stored) => ({
      ...stored,
      lines: stored.lines.map((line) => ({ ...line, goodsVat: '0.01' })),
    }));
    expect(await codeOf(explain(call, orderKey))).toBe('INTERNAL_ERROR');
  });

  it('when an order is another’s, of the other environment or never priced, then there are no lines to explain', async () => {
    const call = await discountedCart();
    const orderKey = newKey();
    await begin(call, orderKey);
    const elsewhere = { ...call, partner: { ...call.partner!, environment: Environment.SANDBOX } };
    const cancelled = newKey();
    await cancel(call, cancelled);
    for (const [whose, key] of [
      [newCall(), orderKey],
      [elsewhere, orderKey],
      [call, cancelled],
    ] as const) {
      const { lines, totals } = await explain(whose, key);
      expect(lines).toEqual([]);
      expect(totals).toContainEqual({
        name: 'totalAmountWithVat',
        expression: '0.00 + 0.00',
        result: '0.00',
        unroundedResult: '0.00',
      });
    }
  });
});

describe('the explanation of a preview and a quote', () => {
  it('when it is requested, then every figure of the cart has a step, and else there is none', async () => {
    const call = await discountedCart();
    const request = { lock: false, discountCode: 'TEN' };
    const preview = await scents.carts.previewCheckout({ ...request, explain: true }, call);
    const items = preview.cart!.items;
    const lines = items.map(({ variantId, quantity }) => ({ variantId, quantity }));
    const quote = await scents.carts.quotePrice({ lines, discountCode: 'TEN', explain: true }, call);
    const explanation = preview.explanation!;
    expect(quote.explanation).toEqual(explanation);
    expect(faultsOf(explanation)).toEqual([]);
    for (const [index, { steps }] of explanation.lines.entries()) {
      const results = Object.fromEntries(steps.map(({ name, result }) => [name, result]));
      expect(results).toMatchObject(cartFigures(items[index]!));
    }
    const totals = { amount: preview.discount!.amount, ...preview.cart!.totals };
    expect(lastOf(explanation.totals, totals)).toEqual(totals);
    expect((await scents.carts.previewCheckout(request, call)).explanation).toBeUndefined();
    expect((await scents.carts.quotePrice({ lines }, call)).explanation).toBeUndefined();
  });

  it('when the cart is empty, then its totals are explained as nothing', async () => {
    const { explanation } = await scents.carts.previewCheckout({ lock: false, explain: true }, newCall());
    expect(explanation!.lines).toEqual([]);
    expect(faultsOf(explanation!)).toEqual([]);
  });
});

function cartFigures(line: CartLine): Record<string, string> {
  return {
    listPrice: line.listPrice,
    lineGoodsVatAmount: line.lineGoodsVatAmount,
    lineTotalWithVat: line.lineTotalWithVat,
    lineCommission: line.lineCommission,
    lineCommissionVatAmount: line.lineCommissionVatAmount,
    lineNetAfterCommission: line.lineNetAfterCommission,
  };
}
