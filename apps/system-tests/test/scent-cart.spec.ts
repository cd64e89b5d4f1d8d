import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);

interface CartLine {
  readonly variantId: string;
  readonly quantity: number;
  readonly listPrice: number;
  readonly lineTotalWithVat: number;
  readonly insufficientForQuantity: boolean;
  readonly marketing?: object;
}
interface Cart {
  readonly id: string;
  readonly partnerId: string;
  readonly customerRef: string | null;
  readonly status: string;
  readonly items: CartLine[];
  readonly chargedWithVat: number;
  readonly commissionWithVat: number;
  readonly netAfterCommission: number;
  readonly displayCurrency: string | null;
  readonly chargedWithVatDisplay: number | null;
  readonly lockId?: string | null;
  readonly discount?: { code: string; amount: number } | null;
}
interface Variant {
  readonly id: string;
  readonly taxClassification: string;
}

const items = '/scent/cart/items';
const preview = '/scent/cart/checkout-preview';
const codeOf = ({ status, state }: ApiResponse<unknown>): [number, string] => [status, state];
const add = (client: PartnerClient, body: unknown, query = '') =>
  client.call<Cart>(`${items}${query}`, { method: 'POST', body });

describe('the scent cart (spec §6.1, §6.2)', () => {
  let owner: TestPartner;
  let stranger: TestPartner;
  let variants: Variant[];
  beforeAll(async () => {
    owner = await operator.newPartner({ settings: { displayCurrency: 'USD', isVatRegistered: true } });
    stranger = await operator.newPartner({ settings: { marketingEnabled: true } });
    const page = expectSuccess(
      await owner.live.call<Page<Variant>>('/scent/variants?availability=Available&pageSize=100'),
    );
    variants = page.items.filter(({ taxClassification }) => taxClassification === 'STANDARD');
  });
  const variantId = (): string => variants[0]?.id ?? '';

  test('when lines are added, set, removed and cleared, then each response is the cart as the next read finds it', async () => {
    const query = `?customerRef=${encodeURIComponent('Zoë 🌸')}`;
    const [a = '', b = ''] = variants.map(({ id }) => id);
    const first = expectSuccess(await add(owner.live, { variantId: a, quantity: 2 }, query));
    expect(first).toMatchObject({
      partnerId: owner.id,
      customerRef: 'Zoë 🌸',
      status: 'Open',
      displayCurrency: 'USD',
    });
    expectSuccess(await add(owner.live, { variantId: b, quantity: 1 }, query));
    const merged = expectSuccess(await add(owner.live, { variantId: a, quantity: 3 }, query));
    expect(merged.items.map(({ quantity }) => quantity)).toEqual([5, 1]);
    const set = await owner.live.call<Cart>(`${items}/${a}${query}`, {
      method: 'PUT',
      body: { quantity: 4 },
    });
    const line = expectSuccess(set).items[0];
    expect(line?.lineTotalWithVat).toBeCloseTo((line?.listPrice ?? 0) * 4 * 1.15, 1);
    expect(line && 'marketing' in line).toBe(false);
    const read = expectSuccess(await owner.live.call<Cart>(`/scent/cart${query}`));
    expect(read).toMatchObject({ id: first.id, items: expectSuccess(set).items });
    expect(read.netAfterCommission).toBeCloseTo(read.chargedWithVat - read.commissionWithVat, 5);
    const removed = await owner.live.call<Cart>(`${items}/${b}${query}`, { method: 'DELETE' });
    expect(expectSuccess(removed).items).toHaveLength(1);
    const cleared = expectSuccess(await owner.live.call<Cart>(`/scent/cart${query}`, { method: 'DELETE' }));
    expect(cleared).toMatchObject({ id: first.id, items: [], chargedWithVat: 0, chargedWithVatDisplay: 0 });
  });

  test('when partners, environments and customers use carts, then none sees another’s', async () => {
    const customer = `?customerRef=${randomUUID()}`;
    expectSuccess(await add(owner.live, { variantId: variantId(), quantity: 7 }, customer));
    for (const [client, query] of [
      [owner.sandbox, customer],
      [stranger.live, customer],
      [owner.live, `?customerRef=${randomUUID()}`],
    ] as const) {
      expect(expectSuccess(await client.call<Cart>(`/scent/cart${query}`)).items).toEqual([]);
      const remove = await client.call(`${items}/${variantId()}${query}`, { method: 'DELETE' });
      expect(codeOf(remove)).toEqual([404, 'NOT_FOUND_CART_ITEM']);
    }
    const foreign = expectSuccess(await add(stranger.live, { variantId: variantId(), quantity: 1 }));
    expect(foreign).toMatchObject({ displayCurrency: null, chargedWithVatDisplay: null });
    expect(foreign.items[0]?.marketing).toBeDefined();
  });

  test('when adds come at once, then every unit counts', async () => {
    const customer = `?customerRef=${randomUUID()}`;
    const adds = Array.from({ length: 10 }, () =>
      add(owner.live, { variantId: variantId(), quantity: 1 }, customer),
    );
    const ids = (await Promise.all(adds)).map((response) => expectSuccess(response).id);
    expect(new Set(ids).size).toBe(1);
    const cart = expectSuccess(await owner.live.call<Cart>(`/scent/cart${customer}`));
    expect(cart.items[0]?.quantity).toBe(10);
  });

  test('when a request is at fault, then it is refused with its code', async () => {
    const query = `?customerRef=${randomUUID()}`;
    const { live } = owner;
    const line = { variantId: variantId(), quantity: 1 };
    const put = (id: string, body: unknown) => live.call(`${items}/${id}${query}`, { method: 'PUT', body });
    const responses: [ApiResponse<unknown>, number, string][] = [
      [await add(live, { ...line, variantId: randomUUID() }, query), 404, 'NOT_FOUND_VARIANT'],
      [await add(live, { ...line, quantity: 0 }, query), 400, 'VALIDATION_FAILED'],
      [await add(live, { ...line, quantity: 1000 }, query), 400, 'VALIDATION_FAILED'],
      [await add(live, { ...line, colour: 'red' }, query), 400, 'VALIDATION_FAILED'],
      [await add(live, line, '?customerRef='), 400, 'VALIDATION_FAILED'],
      [await add(live, line, `?customerRef=${'a'.repeat(129)}`), 400, 'VALIDATION_FAILED'],
      [await put(variantId(), { quantity: 1 }), 404, 'NOT_FOUND_CART_ITEM'],
      [await put('none', { quantity: 1 }), 400, 'VALIDATION_FAILED'],
      [await live.call(`${preview}${query}&lock=true`), 422, 'BUSINESS_CART_EMPTY'],
      [await live.call(`${preview}${query}&lock=maybe`), 400, 'VALIDATION_FAILED'],
      [await live.call(`${preview}${query}&discountCode=NONE`), 422, 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE'],
      [
        await live.call('/scent/price-quote', { method: 'POST', body: { lines: [] } }),
        400,
        'VALIDATION_FAILED',
      ],
      [
        await live.call('/scent/price-quote', { method: 'POST', body: { lines: [line, line] } }),
        400,
        'VALIDATION_FAILED',
      ],
      [
        await live.call('/scent/price-quote', {
          method: 'POST',
          body: { lines: [{ ...line, variantId: randomUUID() }] },
        }),
        404,
        'NOT_FOUND_VARIANT',
      ],
    ];
    for (const [response, status, state] of responses) expect(codeOf(response)).toEqual([status, state]);
    expectSuccess(await add(live, { ...line, quantity: 990 }, query));
    expect(codeOf(await add(live, { ...line, quantity: 10 }, query))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('when a code is taken off, then preview and quote agree, and a lock is new each time', async () => {
    const query = `?customerRef=${randomUUID()}`;
    const code = `T-${randomUUID().slice(0, 8)}`;
    const body = { code, discountType: 'Percent', value: 50, isActive: true, productScope: 'All' };
    expectSuccess(await owner.live.call('/scent/discount-codes', { method: 'POST', body }));
    const line = { variantId: variantId(), quantity: 2 };
    const full = expectSuccess(await add(owner.live, line, query));
    const locks = await Promise.all(
      [1, 2].map(() =>
        owner.live.call<Cart>(`${preview}${query}&lock=true&discountCode=${code.toLowerCase()}`),
      ),
    );
    const [one, two] = locks.map((response) => expectSuccess(response));
    expect(one?.lockId).not.toBe(two?.lockId);
    expect(one?.discount).toMatchObject({ code: code.toUpperCase() });
    expect(one?.chargedWithVat).toBeCloseTo(full.chargedWithVat / 2, 1);
    const quoted = await owner.live.call<Cart>('/scent/price-quote', {
      method: 'POST',
      body: { lines: [line], discountCode: code },
    });
    expect(expectSuccess(quoted)).toMatchObject({
      chargedWithVat: one?.chargedWithVat,
      discount: one?.discount,
    });
    const plain = expectSuccess(await owner.live.call<Cart & { lockExpiresAt: null }>(`${preview}${query}`));
    expect([plain.lockId, plain.lockExpiresAt, plain.discount]).toEqual([null, null, null]);
  });
});
