import { beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, CartStatus, DiscountType, type Cart, type CartLine } from '@reseller/contracts';
import { useGateway } from './support/gateway';
import { ACME } from './support/samples';

const gateway = useGateway();

beforeAll(() => {
  const { carts } = gateway.dependencies;
  carts.getCart = () => Promise.resolve({ cart: bareCart });
  carts.addCartItem = (request, call) => {
    gateway.dependencies.seen.calls.push({ method: 'addCartItem', request, call });
    return Promise.resolve({ cart: { ...bareCart, customerRef: 'Zoë', items: [line], displayRate: usd } });
  };
  carts.setCartItem = (request, call) => {
    gateway.dependencies.seen.calls.push({ method: 'setCartItem', request, call });
    return Promise.resolve({ cart: bareCart });
  };
  carts.previewCheckout = (request, call) => {
    gateway.dependencies.seen.calls.push({ method: 'previewCheckout', request, call });
    const lockExpiresAt = new Date('2026-01-15T09:45:00Z');
    const explained = request.explain && { explanation };
    return Promise.resolve({
      cart: bareCart,
      discount,
      lockId: line.variantId,
      lockExpiresAt,
      ...explained,
    });
  };
  carts.quotePrice = (request, call) => {
    gateway.dependencies.seen.calls.push({ method: 'quotePrice', request, call });
    const { pricedAt, totals, currency } = bareCart;
    return Promise.resolve({
      items: [],
      pricedAt,
      totals,
      currency,
      displayRate: undefined,
      discount: undefined,
    });
  };
});

const usd = { currency: 'USD', rate: '0.266600' };
const discount = { code: 'TEN', discountType: DiscountType.PERCENT, value: '10.00', amount: '0.10' };
const third = {
  name: 'unitAmount',
  expression: '100000.00 ÷ 3',
  result: '33333.3333',
  unroundedResult: '33333.333333333333',
};
const explanation = {
  lines: [{ variantId: '019a2f61-0c2d-7e55-8b1a-3f4e5d6c7b8e', quantity: 3, steps: [third] }],
  totals: [],
};
const bareCart: Cart = {
  id: '019a2f60-7a1b-7c2d-8e3f-4a5b6c7d8e9f',
  partnerId: ACME,
  customerRef: undefined,
  status: CartStatus.OPEN,
  items: [],
  pricedAt: new Date('2026-01-15T09:30:00Z'),
  totals: { chargedWithVat: '115.06', commissionWithVat: '23.01', netAfterCommission: '92.05' },
  currency: 'SAR',
  displayRate: undefined,
};
const line: CartLine = {
  variantId: '019a2f61-0c2d-7e55-8b1a-3f4e5d6c7b8e',
  quantity: 3,
  sku: 'SKU-1',
  sizeMl: 75,
  listPrice: '33.35',
  lineGoodsVatAmount: '15.01',
  lineTotalWithVat: '115.06',
  rrp: undefined,
  availability: Availability.AVAILABLE,
  availableQuantity: undefined,
  insufficientForQuantity: false,
  lineCommission: '20.01',
  lineCommissionVatAmount: '3.00',
  lineNetAfterCommission: '92.05',
  marketing: undefined,
};
const items = '/api/v1/scent/cart/items';
const send = (method: string, path: string, body?: unknown) =>
  gateway.sendAs(gateway.token, path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const lastRequest = () => gateway.dependencies.seen.calls.at(-1)?.request;

describe('the scent cart', () => {
  it('when a cart has no display currency, then every sibling is null and the cart is whole', async () => {
    const { status, body } = await send('GET', '/api/v1/scent/cart');
    expect([status, body.payload]).toEqual([
      200,
      {
        id: bareCart.id,
        partnerId: ACME,
        customerRef: null,
        status: 'Open',
        items: [],
        pricedAt: '2026-01-15T09:30:00.000Z',
        chargedWithVat: 115.06,
        commissionWithVat: 23.01,
        netAfterCommission: 92.05,
        displayCurrency: null,
        rate: null,
        chargedWithVatDisplay: null,
        commissionWithVatDisplay: null,
        netAfterCommissionDisplay: null,
      },
    ]);
  });

  it('when a line is added, then the service gets the customer as it is, and the line has every field but marketing', async () => {
    const { body } = await send('POST', `${items}?customerRef=Zo%C3%AB`, {
      variantId: line.variantId.toUpperCase(),
      quantity: 3,
    });
    expect(lastRequest()).toEqual({ customerRef: 'Zoë', variantId: line.variantId, quantity: 3 });
    expect(body.payload).toMatchObject({
      customerRef: 'Zoë',
      displayCurrency: 'USD',
      chargedWithVatDisplay: 30.67,
    });
    expect((body.payload as { items: unknown[] }).items).toEqual([
      {
        variantId: line.variantId,
        quantity: 3,
        sku: 'SKU-1',
        sizeMl: 75,
        listPrice: 33.35,
        baseCurrency: 'SAR',
        lineGoodsVatAmount: 15.01,
        lineTotalWithVat: 115.06,
        rrp: null,
        listPriceDisplay: 8.89,
        lineGoodsVatAmountDisplay: 4,
        lineTotalWithVatDisplay: 30.67,
        rrpDisplay: null,
        availability: 'Available',
        availableQuantity: null,
        insufficientForQuantity: false,
        lineCommission: 20.01,
        lineCommissionVatAmount: 3,
        lineNetAfterCommission: 92.05,
        lineCommissionDisplay: 5.33,
        lineCommissionVatAmountDisplay: 0.8,
        lineNetAfterCommissionDisplay: 24.54,
      },
    ]);
  });

  it('when a preview is to be explained, then it shows the steps, numbers with all their digits, and else no such key', async () => {
    const preview = '/api/v1/scent/cart/checkout-preview';
    const { body } = await send('GET', `${preview}?explain=true`);
    expect(lastRequest()).toMatchObject({ explain: true });
    expect(body.payload).toMatchObject({
      explanation: {
        lines: [
          {
            quantity: 3,
            steps: [{ ...third, result: 33333.3333, unroundedResult: Number(third.unroundedResult) }],
          },
        ],
        totals: [],
      },
    });
    expect((await send('GET', preview)).body.payload).not.toHaveProperty('explanation');
    expect((await send('GET', `${preview}?explain=1`)).body.state).toBe('VALIDATION_FAILED');
  });

  it('when a preview is locked, then lock and discount are shown; absent lock means none', async () => {
    const { body } = await send('GET', '/api/v1/scent/cart/checkout-preview?lock=true&discountCode=ten');
    expect(lastRequest()).toEqual({ lock: true, discountCode: 'ten' });
    expect(body.payload).toMatchObject({
      lockId: line.variantId,
      lockExpiresAt: '2026-01-15T09:45:00.000Z',
      discount: { code: 'TEN', discountType: 'Percent', value: 10, amount: 0.1 },
    });
    await send('GET', '/api/v1/scent/cart/checkout-preview');
    expect(lastRequest()).toEqual({ lock: false });
  });

  it.each([
    ['POST', `${items}?customerRef=`, { variantId: line.variantId, quantity: 1 }, ['customerRef']],
    ['POST', `${items}?customerRef=a%00`, { variantId: line.variantId, quantity: 1 }, ['customerRef']],
    ['POST', items, { variantId: 'x', quantity: 0 }, ['variantId', 'quantity']],
    ['POST', items, { variantId: line.variantId, quantity: 1000 }, ['quantity']],
    ['POST', items, { variantId: line.variantId, quantity: '1' }, ['quantity']],
    ['POST', items, { variantId: line.variantId, quantity: 1.5 }, ['quantity']],
    ['POST', items, {}, ['variantId', 'quantity']],
    ['PUT', `${items}/x`, { quantity: -1 }, ['id', 'quantity']],
    ['DELETE', `${items}/x`, undefined, ['id']],
    ['GET', '/api/v1/scent/cart/checkout-preview?lock=yes', undefined, ['lock']],
    ['POST', '/api/v1/scent/price-quote', { lines: [] }, ['lines']],
    [
      'POST',
      '/api/v1/scent/price-quote',
      { lines: [1, 2].map(() => ({ variantId: line.variantId, quantity: 1 })) },
      ['lines.1.variantId'],
    ],
  ])('when %s %s is sent %j, then every fault is named', async (method, path, sent, paths) => {
    const { status, body } = await send(method, path, sent);
    expect([status, body.state]).toEqual([400, 'VALIDATION_FAILED']);
    const { errors } = body.details as { errors: { path: string }[] };
    expect(errors.map((fault) => fault.path).sort()).toEqual([...paths].sort());
    expect(gateway.dependencies.seen.calls).toHaveLength(0);
  });

  it('when a quantity is 0, then a line can be set to it', async () => {
    expect((await send('PUT', `${items}/${line.variantId}`, { quantity: 0 })).status).toBe(200);
    expect(lastRequest()).toEqual({ variantId: line.variantId, quantity: 0 });
  });

  it('when a quote names no customer or code, then null and absent are one', async () => {
    const lines = [{ variantId: line.variantId, quantity: 1 }];
    const quote = await send('POST', '/api/v1/scent/price-quote', {
      lines,
      customerRef: null,
      discountCode: null,
    });
    expect(quote.body.payload).toMatchObject({ items: [], discount: null, chargedWithVat: 115.06 });
    expect(lastRequest()).toEqual({ lines });
  });
});
