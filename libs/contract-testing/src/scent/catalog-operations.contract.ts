import { expect } from '@jest/globals';
import { rpc, service, type Case, type Message } from '../contract';
import { given, steps, UNKNOWN } from '../variations';
import type { World } from '../world';
import { add, aVariant, change, knownPartner, noUuid, stocked, stockOf, whileBegun } from './arrange';

const ofVariant = async (world: World) =>
  [world.partner(), { variant_id: (await aVariant(world)).id }] as const;

const stockIn = (name: string, stock_on_hand: number) => ({
  environment: `ENVIRONMENT_${name}`,
  stock_on_hand,
  stock_reserved: 0,
});

/** Calls in turn; returns what stock each shows. */
const stockAfter = (...patches: readonly Message[]): Case =>
  given(async ({ call }) => {
    const seen: unknown[] = [];
    for (const patch of patches) seen.push(((await call(patch)).variant as Message).stock);
    return seen;
  });

/** The catalog as operators keep it. */
export const catalogOperations = service('CatalogOperationsService', {
  ListStockedVariants: rpc((world) => [world], {
    'lists by sku, inactive ones too, page by page': async (use) => {
      const hidden = await aVariant(use, { is_active: false });
      const all = await use.sortedPages(use.rpc, 'sku');
      expect(all.map(({ id }) => id)).toContain(hidden.id);
    },
    'keeps to every filter, and finds a part of sku, scent or brand in any letter case': async (use) => {
      const { id, brand_id, scent_id, sku } = await aVariant(use, { stock_on_hand: 2 });
      await use.keepsTo(
        use.rpc,
        { id },
        {
          availability: ['AVAILABILITY_LIMITED', 'AVAILABILITY_UNAVAILABLE'],
          is_active: [true, false],
          search: [String(sku).toLowerCase(), UNKNOWN],
          brand_id: [brand_id, UNKNOWN],
          scent_id: [scent_id, UNKNOWN],
        },
      );
    },
    ...noUuid('brand_id'),
  }),
  GetStockedVariant: rpc(ofVariant, {
    'returns stock, costs and the prices of partners': given(async ({ partner, request }, use) => {
      const variant = await use.get(use.rpc, request);
      await partner.call('SetPartnerPrice', { ...request, list_price: '95.00' });
      const { partner_prices, ...rest } = await stocked(use, variant);
      expect(variant).toMatchObject(rest);
      expect(partner_prices).toContainEqual({ partner_id: partner.id, list_price: '95.00' });
    }),
    ...noUuid('variant_id'),
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
  }),
  UpdateVariant: rpc(ofVariant, {
    'changes what is present and leaves the rest; safe to repeat': async (use) => {
      const variant = await aVariant(use);
      const changes = { stock_on_hand: 7, list_price: '99.50', cost: '41.00', rrp: '140.00' };
      const changed = await change(use, variant, changes);
      const stock = ['LIVE', 'SANDBOX'].map((name) => stockIn(name, 7));
      expect(changed).toMatchObject({ ...variant, ...changes, stock, stock_reserved: 0 });
      expect(await change(use, variant, changes)).toEqual(changed);
      expect(await change(use, variant, { rrp: '' })).not.toHaveProperty('rrp');
    },
    'a refusal changes nothing': given(async ({ who, request }, use) => {
      const code = await who.refusal(use.rpc, { ...request, cost: '1.00', list_price: '-1' });
      const { cost } = await stocked(use, { id: request.variant_id });
      expect([code, cost]).toEqual(['VALIDATION_FAILED', '40.00']);
    }),
    'VALIDATION_FAILED: three decimals': { list_price: '1.001' },
    'VALIDATION_FAILED: a stock below nothing': { stock_on_hand: -1 },
    'VALIDATION_FAILED: a stock below what orders have reserved': async (use) => {
      const partner = await knownPartner(use);
      const variant = await aVariant(use);
      await add(partner, variant, 3);
      return whileBegun(partner, () => change(use, variant, { stock_on_hand: 2 }));
    },
    'changes the stock of the environment it names, and shows both': stockAfter(
      { stock_on_hand: 7 },
      { stock_on_hand: 3, environment: 'ENVIRONMENT_SANDBOX' },
    ),
    'CONFLICT_STOCK_CHANGED: another number than expected in one of the two': steps(
      { stock_on_hand: 8, environment: 'ENVIRONMENT_SANDBOX' },
      { stock_on_hand: 9, expected_stock_on_hand: 50 },
    ),
    'is done where the number is as expected': stockAfter(
      { stock_on_hand: 8, environment: 'ENVIRONMENT_SANDBOX' },
      { stock_on_hand: 9, expected_stock_on_hand: 50, environment: 'ENVIRONMENT_LIVE' },
    ),
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN, cost: '1.00' },
  }),
  AddVariantStock: rpc(async (world) => [world, { variant_id: (await aVariant(world)).id, delta: 5 }], {
    'adds in both environments, or in the one it names; a call made twice counts twice': stockAfter(
      {},
      {},
      { delta: -20, environment: 'ENVIRONMENT_LIVE' },
    ),
    'calls at the same time add up': given(async ({ request, call }, use) => {
      await Promise.all([1, 2, 3, 4, 5, 6].map((delta) => call({ delta })));
      return stockOf(use, { id: request.variant_id });
    }),
    'VALIDATION_FAILED: less than nothing would be left': { delta: -51 },
    'VALIDATION_FAILED: less than orders have reserved would be left': async (use) => {
      const partner = await knownPartner(use);
      const variant = await aVariant(use);
      await add(partner, variant, 3);
      const request = { variant_id: variant.id, delta: -48 };
      return whileBegun(partner, () => use.call('AddVariantStock', request));
    },
    'VALIDATION_FAILED: more than a billion': { delta: 1_000_000_001 },
    ...noUuid('variant_id'),
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
  }),
  SetPartnerPrice: rpc(ofVariant, {
    'sets what one partner pays; safe to repeat': steps({ list_price: '88.5' }, { list_price: '88.50' }),
    'VALIDATION_FAILED: a price of nothing': { list_price: '0.00' },
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN, list_price: '1.00' },
  }),
  ListBrandTerms: rpc(undefined, {
    'lists by name, page by page': async (use) => void (await use.sortedPages(use.rpc, 'name')),
  }),
  UpdateBrand: rpc(async (world) => [world, { brand_id: (await aVariant(world)).brand_id }], {
    'sets a commission rate, leaves it when absent, and clears it by an empty text': steps(
      { commission_rate: '0.125' },
      {},
      { commission_rate: '' },
    ),
    'VALIDATION_FAILED: more than 1': { commission_rate: '1.1' },
    'NOT_FOUND_BRAND: an unknown one': { brand_id: UNKNOWN, commission_rate: '0.1' },
  }),
});
