import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, Badge, Gender, TaxClassification } from '@reseller/contracts';
import { codeOf } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { addBrand, addSales, addScent, addVariant, setPrice } from './catalog-data';
import { callAs, knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const all = { page: { page: 1, pageSize: 100 } };
const anyone = callAs(uuidv7());
const page = (number: number, pageSize: number) => ({ page: { page: number, pageSize } });
const variantOf = async (variantId: string, call = anyone) => {
  const { variant } = await scents.catalog.getVariant({ variantId }, call);
  if (!variant) throw new Error('no variant');
  return variant;
};

describe('a variant (spec §5.4)', () => {
  it('when it is read, then every field is there, for a partner without a profile at the catalog’s price', async () => {
    const scentId = await addScent(scents.database);
    const id = await addVariant(scents.database, {
      scentId,
      sku: 'FULL-1',
      sizeMl: 75,
      listPrice: '249.50',
      rrp: '300.00',
      taxClassification: 'ZERO',
      isSample: true,
      onHand: 7,
      reserved: 3,
    });
    expect(await scents.catalog.getVariant({ variantId: id }, anyone)).toEqual({
      displayRate: undefined,
      variant: {
        id,
        scentId,
        sku: 'FULL-1',
        sizeMl: 75,
        listPrice: '249.50',
        currency: 'SAR',
        rrp: '300.00',
        taxClassification: TaxClassification.ZERO,
        isSample: true,
        availability: Availability.LIMITED,
        availableQuantity: 4,
        marketing: undefined,
      },
    });
  });

  it.each([
    [0, 0, Availability.UNAVAILABLE, 0],
    [3, 3, Availability.UNAVAILABLE, 0],
    [1, 0, Availability.LIMITED, 1],
    [5, 0, Availability.LIMITED, 5],
    [6, 0, Availability.AVAILABLE, 6],
    [20, 0, Availability.AVAILABLE, 20],
    [21, 0, Availability.AVAILABLE, undefined],
    [21, 1, Availability.AVAILABLE, 20],
  ])(
    'when %i are on hand and %i reserved, then it is %s and the number is %s',
    async (onHand, reserved, availability, availableQuantity) => {
      const variantId = await addVariant(scents.database, { onHand, reserved });
      expect(await scents.catalog.getVariantAvailability({ variantId }, anyone)).toEqual({
        variantId,
        availability,
        availableQuantity,
      });
      expect(await variantOf(variantId)).toMatchObject({ availability, availableQuantity });
    },
  );

  it('when it is inactive or unknown, then it is hidden everywhere', async () => {
    const scentId = await addScent(scents.database);
    const variantId = await addVariant(scents.database, { scentId, isActive: false, sku: 'HIDDEN-1' });
    const { catalog } = scents;
    for (const id of [variantId, uuidv7()]) {
      expect(await codeOf(catalog.getVariant({ variantId: id }, anyone))).toBe('NOT_FOUND_VARIANT');
      expect(await codeOf(catalog.getVariantAvailability({ variantId: id }, anyone))).toBe(
        'NOT_FOUND_VARIANT',
      );
    }
    const filters = [{ scentId }, { sku: 'HIDDEN-1' }, { scentId, availability: Availability.AVAILABLE }];
    for (const filter of filters) {
      const list = await catalog.listVariants(
        { ...all, availability: Availability.UNSPECIFIED, ...filter },
        anyone,
      );
      expect([list.variants, list.page?.totalCount]).toEqual([[], 0]);
    }
    expect((await catalog.getScent({ scentId }, anyone)).scent?.variants).toEqual([]);
  });
});

describe('the caller’s price (spec §5.3)', () => {
  it('when a partner, an ancestor or nobody has one, then the nearest counts', async () => {
    const [root, parent] = [uuidv7(), uuidv7()];
    const { partnerId, call } = await knowPartner(scents, { ancestors: [root, parent] });
    const variantId = await addVariant(scents.database, { listPrice: '100.00' });
    const priceOf = async () => (await variantOf(variantId, call)).listPrice;
    expect(await priceOf()).toBe('100.00');
    await setPrice(scents.database, { variantId, partnerId: uuidv7(), listPrice: '1.00' });
    expect(await priceOf()).toBe('100.00');
    await setPrice(scents.database, { variantId, partnerId: root, listPrice: '90.00' });
    expect(await priceOf()).toBe('90.00');
    await setPrice(scents.database, { variantId, partnerId: parent, listPrice: '120.00' });
    expect(await priceOf()).toBe('120.00');
    await setPrice(scents.database, { variantId, partnerId, listPrice: '80.00' });
    expect(await priceOf()).toBe('80.00');
  });

  it('when a display currency has a rate, then the live one comes along (spec §3.3)', async () => {
    const { call } = await knowPartner(scents, { displayCurrency: 'USD' });
    const variantId = await addVariant(scents.database);
    const rateOf = async () => (await scents.catalog.getVariant({ variantId }, call)).displayRate;
    expect(await rateOf()).toBeUndefined();
    scents.rates.set('USD', '0.266667');
    expect(await rateOf()).toEqual({ currency: 'USD', rate: '0.266667' });
    const inSar = await knowPartner(scents, { displayCurrency: 'SAR' });
    expect((await scents.catalog.getVariant({ variantId }, inSar.call)).displayRate).toBeUndefined();
  });
});

describe('marketing', () => {
  it('when the partner has the feature, then the catalog’s price, the old one and every badge are there', async () => {
    const { call, partnerId } = await knowPartner(scents, { marketingEnabled: true });
    const scentId = await addScent(scents.database);
    const variantId = await addVariant(scents.database, {
      scentId,
      listPrice: '100.00',
      onHand: 0,
      firstOfferedDaysAgo: 3,
    });
    await addVariant(scents.database, { scentId, isSample: true, onHand: 1 });
    await setPrice(scents.database, { variantId, partnerId, listPrice: '50.00' });
    const operator = { requestId: 'r', operator: 'olga' };
    await scents.operations.updateVariant({ variantId, listPrice: '80', stockOnHand: 4 }, operator);
    await addSales(scents.database, { variantId, units: 1 });
    const variant = await variantOf(variantId, call);
    expect(variant.listPrice).toBe('50.00');
    expect(variant.marketing).toEqual({
      currentPrice: '80.00',
      compareAtPrice: '100.00',
      discountPercent: '20.00',
      badges: [
        Badge.LIMITED,
        Badge.BACK_IN_STOCK,
        Badge.NEW_ARRIVAL,
        Badge.BEST_SELLER,
        Badge.SAMPLE_AVAILABLE,
      ],
    });
    expect((await variantOf(variantId)).marketing).toBeUndefined();
  });

  it('when samples are inactive or sold out, then no sample is on offer', async () => {
    const { call } = await knowPartner(scents, { marketingEnabled: true });
    const scentId = await addScent(scents.database);
    const variantId = await addVariant(scents.database, { scentId });
    await addVariant(scents.database, { scentId, isSample: true, onHand: 2, reserved: 2 });
    await addVariant(scents.database, { scentId, isSample: true, isActive: false });
    expect((await variantOf(variantId, call)).marketing?.badges).toEqual([]);
  });
});

describe('lists', () => {
  it('when variants are listed, then they come by code points of the sku, page by page, with exact totals', async () => {
    const brandId = await addBrand(scents.database);
    const scentId = await addScent(scents.database, { brandId });
    const other = await addScent(scents.database, { brandId });
    for (const sku of ['o-b', 'o-B', 'o-é', 'o-a', 'o-Z', 'o-1'])
      await addVariant(scents.database, { scentId, sku });
    await addVariant(scents.database, { scentId: other, sku: 'o-_', onHand: 0 });
    await addVariant(scents.database, { scentId, sku: 'o-gone', isActive: false });
    const list = async (filter: object, number = 1, size = 4) => {
      const request = { ...page(number, size), availability: Availability.UNSPECIFIED, ...filter };
      const response = await scents.catalog.listVariants(request, anyone);
      return [response.variants.map(({ sku }) => sku), response.page?.totalCount, response.page?.totalPages];
    };
    expect(await list({ brandId })).toEqual([['o-1', 'o-B', 'o-Z', 'o-_'], 7, 2]);
    expect(await list({ brandId }, 2)).toEqual([['o-a', 'o-b', 'o-é'], 7, 2]);
    expect(await list({ brandId }, 3)).toEqual([[], 7, 2]);
    expect(await list({ scentId: other })).toEqual([['o-_'], 1, 1]);
    expect(await list({ scentId, brandId: await addBrand(scents.database) })).toEqual([[], 0, 0]);
    expect(await list({ brandId, availability: Availability.UNAVAILABLE })).toEqual([['o-_'], 1, 1]);
    expect(await list({ scentId, availability: Availability.AVAILABLE }, 2)).toEqual([['o-b', 'o-é'], 6, 2]);
    expect(await list({ sku: 'o-é' })).toEqual([['o-é'], 1, 1]);
    expect(await list({ sku: 'O-É' })).toEqual([[], 0, 0]);
    expect(await list({ scentId: uuidv7() })).toEqual([[], 0, 0]);
  });

  it('when all variants or all of one availability are listed, then total and pages agree with the tables', async () => {
    for (const availability of [
      Availability.UNSPECIFIED,
      Availability.UNAVAILABLE,
      Availability.LIMITED,
      Availability.AVAILABLE,
    ]) {
      const skus: string[] = [];
      let total = 1;
      for (let number = 1; skus.length < total; number += 1) {
        const response = await scents.catalog.listVariants({ ...page(number, 7), availability }, anyone);
        total = response.page?.totalCount ?? 0;
        skus.push(...response.variants.map(({ sku }) => sku));
        if (response.variants.length === 0) break;
      }
      const { rows } = await scents.database.pool.query<{ sku: string }>(
        `SELECT v.sku FROM variants v JOIN stock_levels t ON t.variant_id = v.id AND t.environment = 'live'
         WHERE v.is_active AND ($1::text IS NULL OR t.availability = $1) ORDER BY v.sku`,
        [NAMES[availability] ?? null],
      );
      expect(skus).toEqual(rows.map(({ sku }) => sku));
      expect(total).toBe(rows.length);
    }
  });

  it('when scents are searched, then scent and brand names count in any letter case, and wildcards stand for themselves', async () => {
    const brandId = await addBrand(scents.database, 'Straße 100% Öl');
    const rose = await addScent(scents.database, { brandId, name: 'Rose_Noir' });
    const iris = await addScent(scents.database, { brandId, name: 'Íris\\Bleu' });
    const variant = await addVariant(scents.database, { scentId: rose, sku: 'search-1' });
    const found = async (search: string, more: object = {}) => {
      const response = await scents.catalog.listScents({ ...all, search, ...more }, anyone);
      expect(response.page?.totalCount).toBe(response.scents.length);
      return response.scents.map(({ id }) => id);
    };
    // Í comes after R by code points.
    expect(await found('STRASSE')).toEqual([rose, iris]);
    expect(await found('100% ö')).toEqual([rose, iris]);
    expect(await found('ÍRIS\\b')).toEqual([iris]);
    expect(await found('ose_n')).toEqual([rose]);
    expect(await found('ose_n', { brandId })).toEqual([rose]);
    expect(await found('ose_n', { brandId: uuidv7() })).toEqual([]);
    for (const search of ['ose%oir', 'r__e', '100_', 'noir\u0001str', 'noirstra', 'x\\']) {
      expect([search, await found(search)]).toEqual([search, []]);
    }
    expect(await found('', { brandId })).toEqual([rose, iris]);
    await scents.database.pool.query(`UPDATE brands SET name = 'Allee' WHERE id = $1`, [brandId]);
    expect([await found('strasse'), await found('aLLEe')]).toEqual([[], [rose, iris]]);
    const [scent] = (await scents.catalog.listScents({ ...all, search: 'rose_noir' }, anyone)).scents;
    expect(scent).toMatchObject({
      id: rose,
      brandId,
      brandName: 'Allee',
      name: 'Rose_Noir',
      description: 'Warm.',
      notes: ['amber', 'oud'],
      gender: Gender.UNISEX,
      concentration: 'Eau de Parfum',
      variants: [{ id: variant, sku: 'search-1' }],
    });
    expect((await scents.catalog.getScent({ scentId: rose }, anyone)).scent).toEqual(scent);
  });

  it('when brands are listed, then they come by code points of the name', async () => {
    const names = ['zz-b', 'zz-B', 'zz-ä'];
    for (const name of names) await addBrand(scents.database, name);
    const response = await scents.catalog.listBrands(all, anyone);
    expect(response.brands.map(({ name }) => name).filter((name) => name.startsWith('zz-'))).toEqual([
      'zz-B',
      'zz-b',
      'zz-ä',
    ]);
    const beyond = await scents.catalog.listBrands(page(99, 100), anyone);
    expect([beyond.brands, beyond.page?.totalCount]).toEqual([[], response.brands.length]);
    const [brand] = response.brands;
    expect(await scents.catalog.getBrand({ brandId: brand?.id ?? '' }, anyone)).toEqual({ brand });
  });
});

const NAMES: Partial<Record<Availability, string>> = {
  [Availability.UNAVAILABLE]: 'Unavailable',
  [Availability.LIMITED]: 'Limited',
  [Availability.AVAILABLE]: 'Available',
};
