import { expect } from '@jest/globals';
import { rpc, service } from '../notation';
import { UNKNOWN } from '../variations';
import { refusalOf, type World } from '../world';
import { aVariant, change, knownPartner, add, noUuid, stocked, whileBegun } from './arrange';

const given = async (world: World) => [world.partner(), { variant_id: (await aVariant(world)).id }] as const;

/** The catalog as operators keep it. */
export const catalogOperations = service('CatalogOperationsService', {
  ListStockedVariants: rpc(async (world) => [world], {
    'lists by sku, inactive ones too, page by page': async (use) => {
      const hidden = await aVariant(use, { is_active: false });
      const all = await use.pages('ListStockedVariants');
      expect(all.map(({ id }) => id)).toContain(hidden.id);
      const skus = all.map(({ sku }) => String(sku));
      expect(skus).toEqual([...skus].sort());
    },
    'keeps to what is asked for, and finds a part of sku, scent or brand in any letter case': async (use) => {
      const { id, brand_id, scent_id, sku } = await aVariant(use, { stock_on_hand: 2 });
      const terms = {
        availability: 'AVAILABILITY_LIMITED',
        is_active: true,
        search: String(sku).toLowerCase(),
      };
      const others = [{ is_active: false }, { search: UNKNOWN }, { brand_id: UNKNOWN }];
      await use.keepsTo('ListStockedVariants', { brand_id, scent_id, ...terms }, others, [{ id }]);
    },
    ...noUuid('brand_id'),
  }),
  GetStockedVariant: rpc(given, {
    'answers stock, costs and the prices of partners': async (use) => {
      const { who, request } = await use.given();
      const variant = await who.get('GetStockedVariant', request);
      const { partner_id } = await who.call('SetPartnerPrice', { ...request, list_price: '95.00' });
      const { partner_prices, ...rest } = await stocked(use, variant);
      expect({ ...variant, ...rest }).toEqual({ ...variant });
      expect(partner_prices).toContainEqual({ partner_id, list_price: '95.00' });
    },
    ...noUuid('variant_id'),
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
  }),
  UpdateVariant: rpc(given, {
    'changes what is present and leaves the rest; safe to repeat': async (use) => {
      const variant = await aVariant(use);
      const changes = { stock_on_hand: 7, list_price: '99.50', cost: '41.00', rrp: '140.00' };
      const changed = await change(use, variant, changes);
      expect(changed).toMatchObject({ ...variant, ...changes, stock_reserved: 0 });
      expect(await change(use, variant, changes)).toEqual(changed);
      expect(await change(use, variant, { rrp: '' })).not.toHaveProperty('rrp');
    },
    'a refusal changes nothing': async (use) => {
      const variant = await aVariant(use);
      const refusal = await refusalOf(change(use, variant, { cost: '1.00', list_price: '-1' }));
      expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(await stocked(use, variant)).toMatchObject({ cost: '40.00' });
    },
    'VALIDATION_FAILED: three decimals': { list_price: '1.001' },
    'VALIDATION_FAILED: a stock below nothing': { stock_on_hand: -1 },
    'VALIDATION_FAILED: a stock below what orders have reserved': async (use) => {
      const partner = await knownPartner(use);
      const variant = await aVariant(use);
      await add(partner, variant, 3);
      return whileBegun(partner, () => change(use, variant, { stock_on_hand: 2 }));
    },
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN, cost: '1.00' },
  }),
  SetPartnerPrice: rpc(given, {
    'sets what one partner pays; safe to repeat': async (use) => {
      const { who, request } = await use.given();
      for (const list_price of ['88.5', '88.50'])
        expect(await who.call('SetPartnerPrice', { ...request, list_price })).toEqual({
          ...request,
          partner_id: expect.any(String),
          list_price: '88.50',
          updated_at: expect.any(String),
        });
    },
    'VALIDATION_FAILED: a price of nothing': { list_price: '0.00' },
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN, list_price: '1.00' },
  }),
  ListBrandTerms: rpc(undefined, {
    'lists by name, page by page': async (use) => {
      const names = (await use.pages('ListBrandTerms')).map(({ name }) => String(name));
      expect(names).toEqual([...names].sort());
    },
  }),
  UpdateBrand: rpc(async (world) => [world, { brand_id: (await aVariant(world)).brand_id }], {
    'sets a commission rate, leaves it when absent, and clears it by an empty text': async (use) => {
      const { brand_id: id, brand_name: name } = await aVariant(use);
      const update = (more = {}) => use.get('UpdateBrand', { brand_id: id, ...more });
      for (const given of [{ commission_rate: '0.125' }, {}])
        expect(await update(given)).toEqual({ id, name, commission_rate: '0.125' });
      expect(await update({ commission_rate: '' })).toEqual({ id, name });
    },
    'VALIDATION_FAILED: more than 1': { commission_rate: '1.1' },
    'NOT_FOUND_BRAND: an unknown one': { brand_id: UNKNOWN, commission_rate: '0.1' },
  }),
});
