import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

interface Variant {
  id: string;
  scentId: string;
  sku: string;
  listPrice: number;
  listPriceDisplay: number | null;
  availability: string;
  availableQuantity: number | null;
  marketing?: { currentPrice: number; compareAtPrice: number | null; badges: string[] };
}

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
let partner: TestPartner;
let plain: TestPartner;
beforeAll(async () => {
  partner = await operator.newPartner({ settings: { displayCurrency: 'USD', marketingEnabled: true } });
  plain = await operator.newPartner();
});

const read = async <T>(path: string, as = partner): Promise<T> =>
  (await as.sandbox.call(`/scent${path}`)).payload as T;
const bySku = async (sku: string, as = partner): Promise<Variant> => {
  const { items } = await read<Page<Variant>>(`/variants?sku=${encodeURIComponent(sku)}`, as);
  if (!items[0]) throw new Error(`no variant ${sku}`);
  return items[0];
};

describe('the scent catalog (spec §5.1, §5.2)', () => {
  test('when it is read, then the seeded catalog is there, by name and sku', async () => {
    const brands = await read<Page<{ id: string; name: string }>>('/brands?pageSize=100');
    expect(brands.items.map(({ name }) => name)).toEqual(brands.items.map(({ name }) => name).toSorted());
    const variants = await read<Page<Variant>>('/variants?pageSize=100');
    expect(variants.pagination.totalCount).toBeGreaterThanOrEqual(120);
    expect(variants.items.map(({ sku }) => sku)).toEqual(variants.items.map(({ sku }) => sku).toSorted());
    const found = await read<Page<{ brandName: string }>>('/scents?search=OUDHAVEN');
    expect(new Set(found.items.map(({ brandName }) => brandName))).toEqual(new Set(['Oudhaven']));
    expect((await read<Page<Variant>>(`/variants?brandId=${randomUUID()}`)).items).toEqual([]);
    for (const availability of ['Available', 'Limited', 'Unavailable']) {
      const { items } = await read<Page<Variant>>(`/variants?availability=${availability}`);
      expect(new Set(items.map((item) => item.availability))).toEqual(new Set([availability]));
    }
  });

  test('when operators change prices and stock, then the next read shows it, to whom it concerns', async () => {
    const before = await bySku('NLA-MILK-EDP-030');
    const path = `/variants/${before.id}`;
    await operator.patch(path, { listPrice: 300, stockOnHand: 0 });
    await operator.patch(path, { listPrice: 200, stockOnHand: 3 });
    const price = await operator.call(`${path}/partner-prices/${partner.id}`, {
      method: 'PUT',
      body: { listPrice: 150 },
    });
    expect(price.payload).toMatchObject({ variantId: before.id, partnerId: partner.id, listPrice: 150 });
    const own = await read<Variant>(path);
    expect(own).toMatchObject({
      listPrice: 150,
      listPriceDisplay: 40,
      availability: 'Limited',
      availableQuantity: 3,
      marketing: { currentPrice: 200, compareAtPrice: 300, discountPercent: 33.33 },
    });
    expect(own.marketing?.badges).toEqual(expect.arrayContaining(['LIMITED', 'BACK_IN_STOCK']));
    const other = await read<Variant>(path, plain);
    expect(other).toMatchObject({ listPrice: 200, listPriceDisplay: null });
    expect(other).not.toHaveProperty('marketing');
    await operator.patch(path, { isActive: false });
    expect((await plain.sandbox.call(`/scent${path}/availability`)).state).toBe('NOT_FOUND_VARIANT');
    await operator.patch(path, { isActive: true, stockOnHand: 50, listPrice: before.listPrice });
    const audit = await operator.get<Page<{ action: string }>>(`/audit?partnerId=${partner.id}`);
    expect(audit.items.map(({ action }) => action)).toContain('variant.partner-price');
  });

  test('when a partner’s settings change, then the next price shows it', async () => {
    await operator.patch(`/partners/${plain.id}`, { marketingEnabled: true, displayCurrency: 'USD' });
    const variant = await bySku('NLA-FRST-EDP-050', plain);
    expect(variant.marketing).toBeDefined();
    expect(variant.listPriceDisplay).not.toBeNull();
  });

  test('when an operator names what is not there or unfit, then the code says so', async () => {
    const stateOf = async (method: string, path: string, body: object) =>
      (await operator.call(path, { method, body })).state;
    const { id } = await bySku('NLA-FRST-EDP-050');
    expect(await stateOf('PATCH', `/variants/${randomUUID()}`, { cost: 1 })).toBe('NOT_FOUND_VARIANT');
    expect(await stateOf('PATCH', `/variants/${id}`, { stockOnHand: -1 })).toBe('VALIDATION_FAILED');
    const foreign = `/variants/${id}/partner-prices/${randomUUID()}`;
    expect(await stateOf('PUT', foreign, { listPrice: 1 })).toBe('NOT_FOUND_PARTNER');
    expect(await stateOf('PATCH', `/brands/${randomUUID()}`, { commissionRate: 0.1 })).toBe(
      'NOT_FOUND_BRAND',
    );
  });
});
