import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, Badge, type UpdateVariantRequest } from '@reseller/contracts';
import { decimal, toJsonNumber } from '@reseller/money';
import { codeOf } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { forgetOldSales } from '../src/catalog/forget-old-sales';
import { addBrand, addSales, addScent, addVariant } from './catalog-data';
import { knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const call = { requestId: 'r', operator: 'olga' };
const page = { page: 1, pageSize: 100 };
const change = (variantId: string, changes: Omit<UpdateVariantRequest, 'variantId'>) =>
  scents.operations.updateVariant({ variantId, ...changes }, call);
const faultsOf = (request: Promise<unknown>) =>
  request.then(
    () => [],
    (error: unknown) =>
      (error as { details: { errors: { path: string; message: string }[] } }).details.errors,
  );
const read = async (variantId: string) =>
  (await scents.operations.getStockedVariant({ variantId }, call)).variant;
const rowsOf = async (text: string, values: unknown[] = []) =>
  (await scents.database.pool.query<Record<string, unknown>>(text, values)).rows;

describe('a change of a variant', () => {
  it('when every field is given, then the response and the next read of a partner have it', async () => {
    const { call: partner } = await knowPartner(scents);
    const variantId = await addVariant(scents.database, { rrp: '200.00', onHand: 3, reserved: 2 });
    const { variant } = await change(variantId, {
      stockOnHand: 30,
      listPrice: '120.50',
      cost: '0',
      rrp: '',
      isActive: false,
    });
    expect(variant).toMatchObject({
      stockOnHand: 30,
      stockReserved: 2,
      availability: Availability.AVAILABLE,
      listPrice: '120.50',
      cost: '0.00',
      rrp: undefined,
      isActive: false,
    });
    expect(await read(variantId)).toEqual(variant);
    expect(await codeOf(scents.catalog.getVariant({ variantId }, partner))).toBe('NOT_FOUND_VARIANT');
    await change(variantId, { isActive: true });
    const again = (await scents.catalog.getVariant({ variantId }, partner)).variant;
    expect(again).toMatchObject({ listPrice: '120.50', availableQuantity: undefined });
  });

  it('when the price changes, then it is in the history, and only a lower one is remembered as the earlier', async () => {
    const variantId = await addVariant(scents.database, { listPrice: '100.00' });
    for (const listPrice of ['90.00', '90.00', '95.00']) await change(variantId, { listPrice });
    const history = `SELECT old_price, new_price FROM price_changes WHERE variant_id = $1 ORDER BY changed_at`;
    expect(await rowsOf(history, [variantId])).toEqual([
      { old_price: '100.00', new_price: '90.00' },
      { old_price: '90.00', new_price: '95.00' },
    ]);
    expect(await rowsOf('SELECT lowered_from FROM variants WHERE id = $1', [variantId])).toEqual([
      { lowered_from: '100.00' },
    ]);
  });

  it('when stock would fall under what is reserved, then all of the change is refused with the number', async () => {
    const variantId = await addVariant(scents.database, { onHand: 9, reserved: 4 });
    expect(await faultsOf(change(variantId, { stockOnHand: 3, listPrice: '1.00' }))).toEqual([
      { path: 'stockOnHand', message: 'must be at least 4, the units that running orders have reserved' },
    ]);
    expect(await read(variantId)).toMatchObject({ stockOnHand: 9, listPrice: '100.00' });
    await change(variantId, { stockOnHand: 4 });
    expect(await read(variantId)).toMatchObject({ stockOnHand: 4, availability: Availability.UNAVAILABLE });
  });

  it('when stock rises from nothing, then that moment is kept, and any other rise leaves it', async () => {
    const variantId = await addVariant(scents.database, { onHand: 0 });
    await change(variantId, { stockOnHand: 5 });
    const restockedAt = (await read(variantId))?.restockedAt;
    expect(restockedAt).toBeInstanceOf(Date);
    await change(variantId, { stockOnHand: 9 });
    expect((await read(variantId))?.restockedAt).toEqual(restockedAt);
  });

  it('when it is unknown or unfit, then that is the error and nothing happens', async () => {
    expect(await codeOf(change(uuidv7(), { stockOnHand: 1 }))).toBe('NOT_FOUND_VARIANT');
    const variantId = await addVariant(scents.database);
    const unfit = change(variantId, { stockOnHand: -1, listPrice: '0', cost: '-1', rrp: '1.001' });
    expect((await faultsOf(unfit)).map(({ path }) => path)).toEqual([
      'stockOnHand',
      'listPrice',
      'cost',
      'rrp',
    ]);
  });

  it('when a full cart is of the dearest variant, then its totals are exact; a dearer one is refused', async () => {
    const variantId = await addVariant(scents.database);
    expect(await faultsOf(change(variantId, { listPrice: '100000000.00' }))).toHaveLength(1);
    const listPrice = '99999999.99';
    expect((await change(variantId, { listPrice })).variant?.listPrice).toBe(listPrice);
    const dearestCart = decimal(listPrice).times(999).times(100).times('1.15').toFixed(2);
    expect(toJsonNumber(dearestCart).toFixed(2)).toBe(dearestCart);
  });
});

describe('prices of partners and rates of brands', () => {
  it('when a partner’s price is set twice, then the last one counts and the variant has it', async () => {
    const variantId = await addVariant(scents.database);
    const { partnerId, call: partner } = await knowPartner(scents);
    for (const listPrice of ['70.00', '75.50']) {
      const set = await scents.operations.setPartnerPrice({ variantId, partnerId, listPrice }, call);
      expect(set).toMatchObject({
        variantId,
        partnerId,
        listPrice,
        updatedAt: expect.any(Date),
      });
    }
    expect((await read(variantId))?.partnerPrices).toEqual([{ partnerId, listPrice: '75.50' }]);
    expect((await scents.catalog.getVariant({ variantId }, partner)).variant?.listPrice).toBe('75.50');
    const unknown = scents.operations.setPartnerPrice(
      { variantId: uuidv7(), partnerId, listPrice: '1.00' },
      call,
    );
    expect(await codeOf(unknown)).toBe('NOT_FOUND_VARIANT');
    const free = scents.operations.setPartnerPrice({ variantId, partnerId, listPrice: '0.00' }, call);
    expect(await codeOf(free)).toBe('VALIDATION_FAILED');
  });

  it('when a brand’s rate is set, left and cleared, then the brand says so', async () => {
    const brandId = await addBrand(scents.database, 'AA first');
    const set = async (commissionRate?: string) =>
      (await scents.operations.updateBrand({ brandId, commissionRate }, call)).brand?.commissionRate;
    expect([await set('0.125'), await set(), await set('')]).toEqual(['0.125', '0.125', undefined]);
    expect(await codeOf(scents.operations.updateBrand({ brandId, commissionRate: '1.1' }, call))).toBe(
      'VALIDATION_FAILED',
    );
    const unknown = scents.operations.updateBrand({ brandId: uuidv7(), commissionRate: '0.1' }, call);
    expect(await codeOf(unknown)).toBe('NOT_FOUND_BRAND');
    const list = await scents.operations.listBrandTerms({ page }, call);
    expect(list.brands[0]).toEqual({ id: brandId, name: 'AA first', commissionRate: undefined });
  });

  it('when an operator lists variants, then every filter narrows, inactive ones are there, and search knows sku and names', async () => {
    const brandId = await addBrand(scents.database, 'Listed Brand');
    const scentId = await addScent(scents.database, { brandId, name: 'Listed Scent' });
    await addVariant(scents.database, { scentId, sku: 'list-a', onHand: 0 });
    await addVariant(scents.database, { scentId, sku: 'list-b', isActive: false });
    const list = async (filter: object) => {
      const request = { page, availability: Availability.UNSPECIFIED, ...filter };
      const response = await scents.operations.listStockedVariants(request, call);
      expect(response.page?.totalCount).toBe(response.variants.length);
      return response.variants.map(({ sku }) => sku);
    };
    expect(await list({ brandId })).toEqual(['list-a', 'list-b']);
    expect(await list({ scentId, isActive: false })).toEqual(['list-b']);
    expect(await list({ scentId, availability: Availability.UNAVAILABLE })).toEqual(['list-a']);
    for (const search of ['LIST-B', 'list-b']) expect(await list({ search })).toEqual(['list-b']);
    for (const search of ['listed s', 'LISTED BRAND'])
      expect(await list({ search })).toEqual(['list-a', 'list-b']);
    expect(await list({ search: 'list%' })).toEqual([]);
  });
});

describe('best sellers', () => {
  it('when units are sold, then the top tenth of the active variants, rounded up, are best sellers for 30 days', async () => {
    const own = await startScentService();
    try {
      const { call: partner } = await knowPartner(own, { marketingEnabled: true });
      const scentId = await addScent(own.database);
      const ids: string[] = [];
      for (let index = 0; index < 11; index += 1) ids.push(await addVariant(own.database, { scentId }));
      await addVariant(own.database, { scentId, isActive: false });
      const sell = (index: number, units: number, daysAgo = 0) =>
        addSales(own.database, { variantId: ids[index] ?? '', units, daysAgo });
      const best = async () => {
        const response = await own.catalog.getScent({ scentId }, partner);
        const variants = response.scent?.variants ?? [];
        return ids.flatMap((id, index) =>
          variants.find((variant) => variant.id === id)?.marketing?.badges.includes(Badge.BEST_SELLER)
            ? [index]
            : [],
        );
      };
      expect(await best()).toEqual([]);
      await sell(4, 1);
      expect(await best()).toEqual([4]);
      await sell(5, 9, 29);
      await sell(6, 3);
      // 11 active variants make two places; the third sold one has none.
      expect(await best()).toEqual([5, 6]);
      await own.operations.updateVariant({ variantId: ids[5] ?? '', isActive: false }, call);
      // Ten active ones make one.
      expect(await best()).toEqual([6]);
      await own.operations.updateVariant({ variantId: ids[5] ?? '', isActive: true }, call);
      await sell(7, 50, 30);
      expect(await best()).toEqual([5, 7]);
      expect(await forgetOldSales(own.database.servicePool)).toBe(1);
      expect(await best()).toEqual([5, 6]);
      await sell(4, 20);
      expect(await best()).toEqual([4, 5]);
      const { rows } = await own.database.pool.query(
        `SELECT 1 FROM sales_totals t WHERE units <> (SELECT coalesce(sum(s.units), 0)
           FROM daily_sales s WHERE (s.variant_id, s.environment) = (t.variant_id, t.environment))`,
      );
      expect(rows).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});

describe('what the tables repeat', () => {
  it('when all of the above has happened, then the copies agree with what they copy', async () => {
    expect(
      await rowsOf(`SELECT 1 FROM variants v LEFT JOIN stock_levels t ON t.variant_id = v.id
        WHERE (t.sku, t.is_active) IS DISTINCT FROM (v.sku, v.is_active)`),
    ).toEqual([]);
    expect(
      await rowsOf(
        `SELECT active_variants - (SELECT count(*) FROM variants WHERE is_active) AS off FROM catalog_sizes`,
      ),
    ).toEqual([{ off: '0' }]);
  });
});
