import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findStepFault } from '@reseller/testing';
import { OperatorClient } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import { expectSuccess } from '../src/clients/response';
import { ScentMarket } from '../src/clients/scent-market';
import { newScentOrder, orderScents, type ScentOrder, type ShelfVariant } from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';

interface Step {
  readonly name: string;
  readonly expression: string;
  readonly result: number;
  readonly unroundedResult: number;
}
interface Explanation {
  readonly lines: readonly { variantId: string; quantity: number; steps: readonly Step[] }[];
  readonly totals: readonly Step[];
}
type Figures = Readonly<Record<string, unknown>>;
interface Explained {
  readonly items: readonly (Figures & { variantId: string })[];
  readonly discount: { readonly amount: number };
  readonly explanation?: Explanation;
}

const CODE = 'EXPLAINED';
const LINE = [
  'lineTotal',
  'unitAmount',
  'partnerCommission',
  'lineGoodsVatAmount',
  'lineCommissionVatAmount',
];
const TOTALS = [
  'discountAmount',
  'totalAmount',
  'totalCommission',
  'totalGoodsVatAmount',
  'totalCommissionVatAmount',
  'totalAmountWithVat',
  'totalCommissionWithVat',
];
const CART_LINE = [
  'listPrice',
  'lineGoodsVatAmount',
  'lineTotalWithVat',
  'lineCommission',
  'lineCommissionVatAmount',
  'lineNetAfterCommission',
];
const CART_TOTALS = ['amount', 'chargedWithVat', 'commissionWithVat', 'netAfterCommission'];

const resultsOf = (steps: readonly Step[] = []): Figures =>
  Object.fromEntries(steps.map(({ name, result }) => [name, result]));
const pick = (of: Figures, names: readonly string[]): Figures =>
  Object.fromEntries(names.map((name) => [name, of[name]]));
const faultsOf = ({ lines, totals }: Explanation): string[] =>
  [...lines.flatMap(({ steps }) => steps), ...totals].flatMap(
    ({ name, expression, result, unroundedResult }) =>
      findStepFault({
        name,
        expression,
        result: String(result),
        unroundedResult: String(unroundedResult),
      }) ?? [],
  );

let market: ScentMarket;
let partner: PartnerClient;
beforeAll(async () => {
  market = await ScentMarket.open(new OperatorClient(readPlatformFile()));
  partner = market.owner.sandbox;
  const terms = { discountType: 'FixedAmount', value: 33.35, isActive: true, productScope: 'All' };
  expectSuccess(await partner.call('/scent/discount-codes', { body: { code: CODE, ...terms } }));
});
afterAll(() => market.close());

const explanationOf = (client: PartnerClient, id: string) =>
  client.call<Explanation>(`/scent/orders/${id}/price-explanation`);

describe('why prices are what they are (spec §17.2)', () => {
  let bought: readonly (readonly [ShelfVariant, number])[];
  let customerRef: string;
  beforeAll(async () => {
    const [first, near, far, zeroRated] = market.goods as [
      ShelfVariant,
      ShelfVariant,
      ShelfVariant,
      ShelfVariant,
    ];
    bought = [
      [first, 3],
      [far, 1],
      [near, 7],
      [zeroRated, 11],
    ];
    customerRef = await market.cartOf(partner, bought);
  });

  test('when a preview or a quote is to be explained, then every figure of it is a step that can be done again', async () => {
    const query = `customerRef=${customerRef}&discountCode=${CODE}`;
    const preview = `/scent/cart/checkout-preview?${query}`;
    const lines = bought.map(([{ id: variantId }, quantity]) => ({ variantId, quantity }));
    const body = { lines, discountCode: CODE };
    for (const explained of [
      expectSuccess(await partner.call<Explained & Figures>(`${preview}&explain=true`)),
      expectSuccess(await partner.call<Explained & Figures>('/scent/price-quote?explain=true', { body })),
    ]) {
      const explanation = explained.explanation!;
      expect(faultsOf(explanation)).toEqual([]);
      expect(explanation.lines).toMatchObject(lines);
      for (const [index, item] of explained.items.entries())
        expect(resultsOf(explanation.lines[index]?.steps)).toMatchObject(pick(item, CART_LINE));
      const { amount } = explained.discount;
      expect(resultsOf(explanation.totals.slice(-4))).toEqual(pick({ ...explained, amount }, CART_TOTALS));
    }
    expect(expectSuccess(await partner.call<object>(preview))).not.toHaveProperty('explanation');
    expect(expectSuccess(await partner.call<object>('/scent/price-quote', { body }))).not.toHaveProperty(
      'explanation',
    );
    expect(await partner.call(`${preview}&explain=yes`)).toMatchObject({
      status: 400,
      state: 'VALIDATION_FAILED',
    });
  });

  test('when an order is explained, then its figures are the last steps, also when prices have changed', async () => {
    const body = newScentOrder({ customerRef, discountCode: CODE });
    const order = expectSuccess(await orderScents(partner, body)) as ScentOrder & Figures;
    const explanation = expectSuccess(await explanationOf(partner, order.id));
    expect(faultsOf(explanation)).toEqual([]);
    expect(explanation.lines.map(({ variantId }) => variantId)).toEqual(
      order.lines.map(({ variantId }) => variantId),
    );
    for (const [index, line] of order.lines.entries()) {
      const steps = explanation.lines[index]!.steps.slice(-LINE.length);
      expect(resultsOf(steps)).toEqual(pick({ ...line }, LINE));
    }
    expect(resultsOf(explanation.totals.slice(-TOTALS.length))).toEqual(pick(order, TOTALS));
    const [first] = market.goods;
    await market.shelf.set(first!.id, { listPrice: first!.listPrice + 10 });
    expect(expectSuccess(await explanationOf(partner, order.id))).toEqual(explanation);
    for (const stranger of [market.owner.live, market.stranger.sandbox])
      expect(await explanationOf(stranger, order.id)).toMatchObject({
        status: 404,
        state: 'NOT_FOUND_SCENT_ORDER',
      });
  });
});
