import { expect } from '@jest/globals';
import type { Message } from '../contract';
import { FAKE_RATE } from '../finance/fake-finance';
import { partnerService, rpc, service, type Sentences } from '../notation';
import type { Party } from '../party';
import { UNKNOWN } from '../variations';
import type { World } from '../world';
import { aVariant, change, knownPartner, noUuid, withoutRate } from './arrange';

const read = (partner: Party, { id }: Message): Promise<Message> =>
  partner.get('GetVariant', { variant_id: id });

/** A partner's call about a variant. */
const about =
  (request: (variant: Message) => Message = () => ({})) =>
  async (world: World) =>
    [await knownPartner(world), request(await aVariant(world))] as const;

const ofVariant = about(({ id }) => ({ variant_id: id }));

const displayRate: Sentences = {
  'tells the rate of the partner’s display currency': async (use) => {
    const { rpc: name, request } = await use.given();
    const { display_rate } = await (await knownPartner(use, { display_currency: 'USD' })).call(name, request);
    expect(display_rate).toEqual({ currency: 'USD', rate: FAKE_RATE });
  },
  ...withoutRate,
};

const inactiveOrUnknown: Sentences = {
  ...noUuid('variant_id'),
  'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
  'NOT_FOUND_VARIANT: an inactive one': async (use) => {
    const { request, call } = await use.given();
    await change(use, { id: request.variant_id }, { is_active: false });
    return call();
  },
};

const expectSorted = (items: unknown, field: string): void => {
  const texts = (items as Message[]).map((item) => String(item[field]));
  expect(texts).toEqual([...texts].sort());
};

/** The catalog as partners see it. */
export const catalog = [
  service('CatalogService', {
    ListBrands: rpc(undefined, {
      'lists by name, page by page': async (use) => expectSorted(await use.pages('ListBrands'), 'name'),
    }),
    GetBrand: rpc(async (world) => [world, { brand_id: (await aVariant(world)).brand_id }], {
      'answers a brand': async (use) => {
        const { brand_id: id, brand_name: name } = await aVariant(use);
        expect(await use.get('GetBrand', { brand_id: id })).toEqual({ id, name });
      },
      ...noUuid('brand_id'),
      'NOT_FOUND_BRAND: an unknown one': { brand_id: UNKNOWN },
    }),
    GetVariantAvailability: rpc(async (world) => [world, { variant_id: (await aVariant(world)).id }], {
      'says none, 1 to 5, more, and how many up to 20': async (use) => {
        const variant = await aVariant(use);
        const request = { variant_id: variant.id };
        for (const [stock_on_hand, availability] of [
          [0, 'UNAVAILABLE'],
          [5, 'LIMITED'],
          [6, 'AVAILABLE'],
          [20, 'AVAILABLE'],
          [21, 'AVAILABLE'],
        ] as const) {
          await change(use, variant, { stock_on_hand });
          expect(await use.call('GetVariantAvailability', request)).toEqual({
            ...request,
            availability: `AVAILABILITY_${availability}`,
            ...(stock_on_hand > 20 ? {} : { available_quantity: stock_on_hand }),
          });
        }
      },
      ...inactiveOrUnknown,
    }),
  }),
  partnerService('CatalogService', {
    ListScents: rpc(about(), {
      ...displayRate,
      'lists by name, page by page, each with its active variants by sku': async (use) => {
        const scents = await use.partner().pages('ListScents');
        expectSorted(scents, 'name');
        for (const { variants } of scents) expectSorted(variants, 'sku');
      },
      'keeps to a brand, and to a part of a name in any letter case': async (use) => {
        const { brand_id, scent_id, scent_name } = await aVariant(use);
        const partner = use.partner();
        const found = await partner.list('ListScents', {
          brand_id,
          search: String(scent_name).toUpperCase(),
        });
        expect(found.map(({ id }) => id)).toContain(scent_id);
        for (const request of [{ brand_id: UNKNOWN }, { search: UNKNOWN }])
          expect(await partner.call('ListScents', request)).toMatchObject({
            scents: [],
            page: { total_count: 0, total_pages: 0 },
          });
      },
      ...noUuid('brand_id'),
    }),
    GetScent: rpc(
      about(({ scent_id }) => ({ scent_id })),
      {
        ...displayRate,
        'answers a scent with its variants, and the partner’s display rate': async (use) => {
          const variant = await aVariant(use);
          const partner = use.partner();
          const { brand_id, brand_name, scent_id, scent_name } = variant;
          const scent = await partner.get('GetScent', { scent_id });
          expect(scent).toMatchObject({
            id: scent_id,
            brand_id,
            brand_name,
            name: scent_name,
            concentration: expect.any(String),
            gender: expect.stringMatching(/^GENDER_(WOMEN|MEN|UNISEX)$/),
          });
          expect(scent.variants).toContainEqual(await read(partner, variant));
        },
        ...noUuid('scent_id'),
        'NOT_FOUND_SCENT: an unknown one': { scent_id: UNKNOWN },
      },
    ),
    ListVariants: rpc(about(), {
      ...displayRate,
      'lists the active ones by sku, page by page': async (use) => {
        const hidden = await aVariant(use, { is_active: false });
        for (const _ of [1, 2]) await aVariant(use);
        const variants = await use.partner().pages('ListVariants');
        expectSorted(variants, 'sku');
        expect(variants.map(({ id }) => id)).not.toContain(hidden.id);
      },
      'keeps to a sku, an availability, a scent and a brand': async (use) => {
        const variant = await aVariant(use, { stock_on_hand: 3 });
        const { sku, scent_id, brand_id } = variant;
        const partner = use.partner();
        const filters = { sku, scent_id, brand_id, availability: 'AVAILABILITY_LIMITED' };
        const others = [
          { availability: 'AVAILABILITY_AVAILABLE' },
          { scent_id: UNKNOWN },
          { brand_id: UNKNOWN },
          { sku: 'no-such-sku' },
        ];
        await partner.keepsTo('ListVariants', filters, others, [await read(partner, variant)]);
      },
      ...noUuid('scent_id'),
    }),
    GetVariant: rpc(ofVariant, {
      ...displayRate,
      'shows the catalog’s price, and the partner’s own where it has one': async (use) => {
        const variant = await aVariant(use, { rrp: '150.00' });
        const partner = await knownPartner(use);
        const { id, scent_id, sku, size_ml, tax_classification, is_sample } = variant;
        const seen = await read(partner, variant);
        expect(seen).toEqual({
          ...{ id, scent_id, sku, size_ml, tax_classification, is_sample },
          list_price: '100.00',
          currency: 'SAR',
          rrp: '150.00',
          availability: 'AVAILABILITY_AVAILABLE',
          marketing: null,
        });
        await partner.call('SetPartnerPrice', { variant_id: id, list_price: '90.00' });
        expect(await read(partner, variant)).toEqual({ ...seen, list_price: '90.00' });
        expect(await read(use.partner(), variant)).toEqual(seen);
      },
      'a descendant without a price of its own pays its nearest ancestor’s': async (use) => {
        const variant = await aVariant(use);
        const parent = await knownPartner(use);
        await parent.call('SetPartnerPrice', { variant_id: variant.id, list_price: '80.00' });
        expect(await read(parent.child(), variant)).toMatchObject({ list_price: '80.00' });
      },
      'shows marketing to a partner with the feature only': async (use) => {
        const variant = await aVariant(use, { list_price: '120.00', stock_on_hand: 3 });
        await change(use, variant, { list_price: '90.00' });
        const partner = await knownPartner(use, { marketing_enabled: true });
        expect(await read(partner, variant)).toMatchObject({
          marketing: { current_price: '90.00', badges: expect.arrayContaining(['BADGE_LIMITED']) },
        });
        expect(await read(await knownPartner(use), variant)).toMatchObject({ marketing: null });
      },
      ...inactiveOrUnknown,
    }),
  }),
];
