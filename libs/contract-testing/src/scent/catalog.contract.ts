import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { FAKE_RATE } from '../finance/fake-finance';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import { newPartner, type World } from '../world';
import { aVariant, change, knownPartner, noUuid, withoutRate } from './arrange';

const anyone = newPartner().caller;
const unknown = uuidv7();

const read = async (world: World, { id }: Message, caller = anyone): Promise<Message> =>
  part(await world.call('CatalogService.GetVariant', { variant_id: id }, caller), 'variant');

const tellsDisplayRate = (rpc: string, request: (variant: Message) => Message): Cases => ({
  'tells the rate of the partner’s display currency': async (world) => {
    const variant = await aVariant(world);
    const { caller } = await knownPartner(world, { display_currency: 'USD' });
    const answer = await world.call(`CatalogService.${rpc}`, request(variant), caller);
    expect(answer['display_rate']).toEqual({ currency: 'USD', rate: FAKE_RATE });
  },
});

const isSorted = (items: readonly Message[], field: string): void => {
  const texts = items.map((item) => String(item[field]));
  expect(texts).toEqual([...texts].sort());
};

/** The catalog as partners see it. */
export const catalog: ServiceContract[] = [
  {
    service: 'CatalogService',
    speaksFor: 'whom the request names',
    rpcs: {
      ListBrands: {
        promises: {
          'lists by name, page by page': async (world) => {
            const brands = await expectPages(world, { rpc: 'CatalogService.ListBrands', field: 'brands' });
            isSorted(brands, 'name');
          },
        },
      },
      GetBrand: {
        promises: {
          'answers a brand': async (world) => {
            const { brand_id: id, brand_name: name } = await aVariant(world);
            expect(await world.call('CatalogService.GetBrand', { brand_id: id })).toEqual({
              brand: { id, name },
            });
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.GetBrand', 'brand_id'),
          NOT_FOUND_BRAND: {
            'an unknown one': (world) => world.call('CatalogService.GetBrand', { brand_id: unknown }),
          },
        },
      },
      GetVariantAvailability: {
        promises: {
          'says none, 1 to 5, more, and how many up to 20': async (world) => {
            const variant = await aVariant(world);
            for (const [on_hand, availability, shown] of [
              [0, 'AVAILABILITY_UNAVAILABLE', 0],
              [5, 'AVAILABILITY_LIMITED', 5],
              [6, 'AVAILABILITY_AVAILABLE', 6],
              [20, 'AVAILABILITY_AVAILABLE', 20],
              [21, 'AVAILABILITY_AVAILABLE', undefined],
            ] as const) {
              await change(world, variant['id'], { stock_on_hand: on_hand });
              const request = { variant_id: variant['id'] };
              expect(await world.call('CatalogService.GetVariantAvailability', request)).toEqual({
                variant_id: variant['id'],
                availability,
                ...(shown === undefined ? {} : { available_quantity: shown }),
              });
            }
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.GetVariantAvailability', 'variant_id'),
          NOT_FOUND_VARIANT: {
            'an unknown one': (world) =>
              world.call('CatalogService.GetVariantAvailability', { variant_id: unknown }),
            'an inactive one': async (world) => {
              const { id } = await aVariant(world, { is_active: false });
              return world.call('CatalogService.GetVariantAvailability', { variant_id: id });
            },
          },
        },
      },
    },
  },
  {
    service: 'CatalogService',
    speaksFor: 'the partner of the metadata',
    rpcs: {
      ListScents: {
        promises: {
          ...tellsDisplayRate('ListScents', () => ({})),
          'lists by name, page by page, each with its active variants by sku': async (world) => {
            const scents = await expectPages(world, {
              rpc: 'CatalogService.ListScents',
              field: 'scents',
              caller: anyone,
            });
            isSorted(scents, 'name');
            for (const scent of scents) isSorted(list(scent, 'variants'), 'sku');
          },
          'keeps to a brand, and to a part of a name in any letter case': async (world) => {
            const variant = await aVariant(world);
            const found = await world.call(
              'CatalogService.ListScents',
              { brand_id: variant['brand_id'], search: text(variant, 'scent_name').toUpperCase() },
              anyone,
            );
            expect(list(found, 'scents').map(({ id }) => id)).toContain(variant['scent_id']);
            for (const request of [{ brand_id: unknown }, { search: unknown }]) {
              const none = await world.call('CatalogService.ListScents', request, anyone);
              expect(none).toMatchObject({ scents: [], page: { total_count: 0, total_pages: 0 } });
            }
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.ListScents', 'brand_id'),
          SERVICE_UNAVAILABLE: withoutRate('CatalogService.ListScents', async () => ({})),
        },
      },
      GetScent: {
        promises: {
          'answers a scent with its variants, and the partner’s display rate': async (world) => {
            const variant = await aVariant(world);
            const { caller } = await knownPartner(world, { display_currency: 'USD' });
            const request = { scent_id: variant['scent_id'] };
            const answer = await world.call('CatalogService.GetScent', request, caller);
            expect(answer['display_rate']).toEqual({ currency: 'USD', rate: FAKE_RATE });
            const scent = part(answer, 'scent');
            expect(scent).toMatchObject({
              id: variant['scent_id'],
              brand_id: variant['brand_id'],
              brand_name: variant['brand_name'],
              name: variant['scent_name'],
              concentration: expect.any(String),
              gender: expect.stringMatching(/^GENDER_(WOMEN|MEN|UNISEX)$/),
            });
            expect(list(scent, 'variants')).toContainEqual(await read(world, variant));
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.GetScent', 'scent_id'),
          NOT_FOUND_SCENT: {
            'an unknown one': (world) => world.call('CatalogService.GetScent', { scent_id: unknown }, anyone),
          },
          SERVICE_UNAVAILABLE: withoutRate('CatalogService.GetScent', async (world) => ({
            scent_id: (await aVariant(world))['scent_id'],
          })),
        },
      },
      ListVariants: {
        promises: {
          ...tellsDisplayRate('ListVariants', () => ({})),
          'lists the active ones by sku, page by page': async (world) => {
            await aVariant(world);
            await aVariant(world);
            const hidden = await aVariant(world, { is_active: false });
            const variants = await expectPages(world, {
              rpc: 'CatalogService.ListVariants',
              field: 'variants',
              caller: anyone,
            });
            isSorted(variants, 'sku');
            expect(variants.map(({ id }) => id)).not.toContain(hidden['id']);
          },
          'keeps to a sku, an availability, a scent and a brand': async (world) => {
            const variant = await aVariant(world, { stock_on_hand: 3 });
            const shown = await read(world, variant);
            const { sku, scent_id, brand_id } = variant;
            const filter = { sku, scent_id, brand_id, availability: 'AVAILABILITY_LIMITED' };
            const found = await world.call('CatalogService.ListVariants', filter, anyone);
            expect(found['variants']).toEqual([shown]);
            for (const other of [
              { availability: 'AVAILABILITY_AVAILABLE' },
              { scent_id: unknown },
              { brand_id: unknown },
              { sku: 'no-such-sku' },
            ]) {
              const none = await world.call('CatalogService.ListVariants', { ...filter, ...other }, anyone);
              expect(none['variants']).toEqual([]);
            }
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.ListVariants', 'scent_id'),
          SERVICE_UNAVAILABLE: withoutRate('CatalogService.ListVariants', async () => ({})),
        },
      },
      GetVariant: {
        promises: {
          ...tellsDisplayRate('GetVariant', ({ id }) => ({ variant_id: id })),
          'shows the catalog’s price, and the partner’s own where it has one': async (world) => {
            const variant = await aVariant(world, { rrp: '150.00' });
            const partner = await knownPartner(world);
            const shown = await read(world, variant, partner.caller);
            expect(shown).toEqual({
              id: variant['id'],
              scent_id: variant['scent_id'],
              sku: variant['sku'],
              size_ml: variant['size_ml'],
              list_price: '100.00',
              currency: 'SAR',
              rrp: '150.00',
              tax_classification: variant['tax_classification'],
              is_sample: variant['is_sample'],
              availability: 'AVAILABILITY_AVAILABLE',
              marketing: null,
            });
            await world.call('CatalogOperationsService.SetPartnerPrice', {
              variant_id: variant['id'],
              partner_id: partner.id,
              list_price: '90.00',
            });
            expect(await read(world, variant, partner.caller)).toEqual({ ...shown, list_price: '90.00' });
            expect(await read(world, variant)).toEqual(shown);
          },
          'a descendant without a price of its own pays its nearest ancestor’s': async (world) => {
            const variant = await aVariant(world);
            const parent = await knownPartner(world);
            const child = newPartner();
            await world.call('CatalogOperationsService.SetPartnerPrice', {
              variant_id: variant['id'],
              partner_id: parent.id,
              list_price: '80.00',
            });
            const caller = { ...child.caller, 'x-partner-path': `${parent.id},${child.id}` };
            expect(await read(world, variant, caller)).toMatchObject({ list_price: '80.00' });
          },
          'shows marketing to a partner with the feature only': async (world) => {
            const variant = await aVariant(world, { list_price: '120.00', stock_on_hand: 3 });
            await change(world, variant['id'], { list_price: '90.00' });
            const { caller } = await knownPartner(world, { marketing_enabled: true });
            expect(await read(world, variant, caller)).toMatchObject({
              marketing: { current_price: '90.00', badges: expect.arrayContaining(['BADGE_LIMITED']) },
            });
          },
        },
        refuses: {
          VALIDATION_FAILED: noUuid('CatalogService.GetVariant', 'variant_id'),
          NOT_FOUND_VARIANT: {
            'an unknown one': (world) =>
              world.call('CatalogService.GetVariant', { variant_id: unknown }, anyone),
            'an inactive one': async (world) => {
              const { id } = await aVariant(world, { is_active: false });
              return world.call('CatalogService.GetVariant', { variant_id: id }, anyone);
            },
          },
          SERVICE_UNAVAILABLE: withoutRate('CatalogService.GetVariant', async (world) => ({
            variant_id: (await aVariant(world))['id'],
          })),
        },
      },
    },
  },
];
