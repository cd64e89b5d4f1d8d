import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import { newPartner, type World } from '../world';
import { add, aVariant, begun, change, knownPartner, noUuid } from './arrange';

const stocked = async (world: World, { id }: Message): Promise<Message> =>
  part(await world.call('CatalogOperationsService.GetStockedVariant', { variant_id: id }), 'variant');

const setPrice = (world: World, variant_id: unknown, list_price: string, partner_id = newPartner().id) =>
  world.call('CatalogOperationsService.SetPartnerPrice', { variant_id, partner_id, list_price });

const setRate = (world: World, brand_id: unknown, commission_rate: string) =>
  world.call('CatalogOperationsService.UpdateBrand', { brand_id, commission_rate });

/** The catalog as operators keep it. */
export const catalogOperations: ServiceContract = {
  service: 'CatalogOperationsService',
  speaksFor: 'whom the request names',
  rpcs: {
    ListStockedVariants: {
      promises: {
        'lists by sku, inactive ones too, page by page': async (world) => {
          const hidden = await aVariant(world, { is_active: false });
          const all = await expectPages(world, {
            rpc: 'CatalogOperationsService.ListStockedVariants',
            field: 'variants',
          });
          expect(all.map(({ id }) => id)).toContain(hidden['id']);
          const skus = all.map(({ sku }) => String(sku));
          expect(skus).toEqual([...skus].sort());
        },
        'keeps to what is asked for, and finds a part of sku, scent or brand in any letter case': async (
          world,
        ) => {
          const variant = await aVariant(world, { stock_on_hand: 2 });
          const { brand_id, scent_id, sku } = variant;
          const filter = {
            brand_id,
            scent_id,
            availability: 'AVAILABILITY_LIMITED',
            is_active: true,
            search: String(sku).toLowerCase(),
          };
          const found = await world.call('CatalogOperationsService.ListStockedVariants', filter);
          expect(list(found, 'variants').map(({ id }) => id)).toEqual([variant['id']]);
          for (const other of [{ is_active: false }, { search: uuidv7() }, { brand_id: uuidv7() }]) {
            const none = await world.call('CatalogOperationsService.ListStockedVariants', {
              ...filter,
              ...other,
            });
            expect(none['variants']).toEqual([]);
          }
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid('CatalogOperationsService.ListStockedVariants', 'brand_id'),
      },
    },
    GetStockedVariant: {
      promises: {
        'answers stock, costs and the prices of partners': async (world) => {
          const variant = await aVariant(world);
          const partner = newPartner();
          await setPrice(world, variant['id'], '95.00', partner.id);
          const read = await stocked(world, variant);
          expect(read).toMatchObject({ ...variant, partner_prices: expect.any(Array) });
          expect(read['partner_prices']).toContainEqual({ partner_id: partner.id, list_price: '95.00' });
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid('CatalogOperationsService.GetStockedVariant', 'variant_id'),
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) => stocked(world, { id: uuidv7() }),
        },
      },
    },
    UpdateVariant: {
      promises: {
        'changes what is present and leaves the rest; safe to repeat': async (world) => {
          const variant = await aVariant(world);
          const changes = { stock_on_hand: 7, list_price: '99.50', cost: '41.00', rrp: '140.00' };
          const changed = await change(world, variant['id'], changes);
          expect(changed).toMatchObject({ ...variant, ...changes, stock_reserved: 0 });
          expect(await change(world, variant['id'], changes)).toEqual(changed);
          expect(await change(world, variant['id'], { rrp: '' })).not.toHaveProperty('rrp');
        },
        'a refusal changes nothing': async (world) => {
          const variant = await aVariant(world);
          await expect(
            change(world, variant['id'], { cost: '1.00', list_price: '-1' }),
          ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
          expect(await stocked(world, variant)).toMatchObject({ cost: '40.00' });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'three decimals': async (world) =>
            change(world, (await aVariant(world))['id'], { list_price: '1.001' }),
          'a stock below nothing': async (world) =>
            change(world, (await aVariant(world))['id'], { stock_on_hand: -1 }),
          'a stock below what orders have reserved': async (world) => {
            const partner = await knownPartner(world);
            const variant = await aVariant(world);
            await add(world, partner, variant, 3);
            const { named } = await begun(world, partner);
            try {
              return await change(world, variant['id'], { stock_on_hand: 2 });
            } finally {
              await world.call('CheckoutService.CancelCheckout', named);
            }
          },
        },
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) => change(world, uuidv7(), { cost: '1.00' }),
        },
      },
    },
    SetPartnerPrice: {
      promises: {
        'sets what one partner pays; safe to repeat': async (world) => {
          const { id } = await aVariant(world);
          const partner = newPartner();
          const answer = await setPrice(world, id, '88.5', partner.id);
          expect(answer).toEqual({
            variant_id: id,
            partner_id: partner.id,
            list_price: '88.50',
            updated_at: expect.any(String),
          });
          expect(await setPrice(world, id, '88.50', partner.id)).toMatchObject({ list_price: '88.50' });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a price of nothing': async (world) => setPrice(world, (await aVariant(world))['id'], '0.00'),
        },
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) => setPrice(world, uuidv7(), '1.00'),
        },
      },
    },
    ListBrandTerms: {
      promises: {
        'lists by name, page by page': async (world) => {
          const brands = await expectPages(world, {
            rpc: 'CatalogOperationsService.ListBrandTerms',
            field: 'brands',
          });
          const names = brands.map((brand) => text(brand, 'name'));
          expect(names).toEqual([...names].sort());
        },
      },
    },
    UpdateBrand: {
      promises: {
        'sets a commission rate, leaves it when absent, and clears it by an empty text': async (world) => {
          const { brand_id: id, brand_name: name } = await aVariant(world);
          expect(await setRate(world, id, '0.125')).toEqual({
            brand: { id, name, commission_rate: '0.125' },
          });
          const left = await world.call('CatalogOperationsService.UpdateBrand', { brand_id: id });
          expect(left).toEqual({ brand: { id, name, commission_rate: '0.125' } });
          expect(await setRate(world, id, '')).toEqual({ brand: { id, name } });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'more than 1': async (world) => setRate(world, (await aVariant(world))['brand_id'], '1.1'),
        },
        NOT_FOUND_BRAND: {
          'an unknown one': (world) => setRate(world, uuidv7(), '0.1'),
        },
      },
    },
  },
};
