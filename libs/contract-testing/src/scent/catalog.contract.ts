import { expect, lists, partnerService, reads, rpc, service } from '../prelude';
import type { Message, Party, Sentences, World } from '../prelude';
import { aVariant, change, inactive, knownPartner, withoutRate } from './arrange';

const read = (partner: Party, { id }: Message): Promise<Message> =>
  partner.get('GetVariant', { variant_id: id });

/** A partner's call about a variant. */
const about =
  (request: (variant: Message) => Message = () => ({})) =>
  async (world: World) =>
    [await knownPartner(world), request(await aVariant(world))] as const;

const asPartner = async (world: World) => [await knownPartner(world)] as const;
const ofScent = about(({ scent_id }) => ({ scent_id }));
const ofVariant = about(({ id }) => ({ variant_id: id }));

const displayRate: Sentences = {
  'returns the rate of the partner’s display currency': async (use, { request }) => {
    const partner = await knownPartner(use, { display_currency: 'USD' });
    return (await partner.call(use.rpc, request)).display_rate;
  },
  ...withoutRate,
};

/** The catalog as partners see it. */
export const catalog = [
  service('CatalogService', {
    ListBrands: lists((world) => [world]),
    GetBrand: reads(async (world) => {
      const { brand_id: id, brand_name: name } = await aVariant(world);
      return [world, { id, name }];
    }),
  }),
  partnerService('CatalogService', {
    ListScents: lists(asPartner, {
      ...displayRate,
      'has each with its active variants by sku': async (_, { call }) => {
        for (const { variants } of (await call()).scents as Message[]) {
          const skus = (variants as Message[]).map(({ sku }) => String(sku));
          expect(skus).toEqual([...skus].sort());
        }
      },
    }),
    GetScent: rpc(ofScent, {
      ...displayRate,
      'returns a scent with its variants, and the partner’s display rate': async (use) => {
        const variant = await aVariant(use);
        const { brand_id, brand_name, scent_id, scent_name: name } = variant;
        const scent = await use.partner().get('GetScent', { scent_id });
        expect(scent).toMatchObject({
          ...{ id: scent_id, brand_id, brand_name, name },
          concentration: expect.any(String),
          gender: expect.stringMatching(/^GENDER_(WOMEN|MEN|UNISEX)$/),
        });
        expect(scent.variants).toContainEqual(await read(use.partner(), variant));
      },
    }),
    ListVariants: lists(asPartner, {
      ...displayRate,
      'lists the active ones': async (use, { who }) => {
        const { id, sku } = await aVariant(use, { is_active: false });
        expect([id, await who.list(use.rpc, { sku })]).toEqual([id, []]);
      },
    }),
    GetVariant: rpc(ofVariant, {
      ...displayRate,
      'shows the catalog’s price, and the partner’s own where it has one': async (use) => {
        const variant = await aVariant(use, { rrp: '150.00' });
        const partner = await knownPartner(use);
        const seen = await read(partner, variant);
        expect(variant).toMatchObject({ id: seen.id, sku: seen.sku, size_ml: seen.size_ml });
        await partner.call('SetPartnerPrice', { variant_id: variant.id, list_price: '90.00' });
        expect(await read(partner, variant)).toEqual({ ...seen, list_price: '90.00' });
        expect(await read(use.partner(), variant)).toEqual(seen);
        return seen;
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
        const marketing = { current_price: '90.00', badges: expect.arrayContaining(['BADGE_LIMITED']) };
        expect(await read(partner, variant)).toMatchObject({ marketing });
        expect(await read(await knownPartner(use), variant)).toMatchObject({ marketing: null });
      },
      'stock, badges and lists are of the partner’s environment': async (use, { partner, request }) => {
        await change(use, { id: request.variant_id }, { environment: 'ENVIRONMENT_LIVE', stock_on_hand: 0 });
        const seen = async (who: Party) => (await who.get(use.rpc, request)).availability;
        return [await seen(partner), await seen(partner.elsewhere())];
      },
      'NOT_FOUND_VARIANT: an inactive one': inactive,
    }),
    GetVariantAvailability: rpc(ofVariant, {
      'says none, 1 to 5, more, and how many up to 20': async (use, { request, call }) => {
        const seen: unknown[] = [];
        for (const stock_on_hand of [0, 5, 6, 20, 21]) {
          await change(use, { id: request.variant_id }, { stock_on_hand });
          seen.push({ stock_on_hand, ...(await call()) });
        }
        return seen;
      },
      'says it of the partner’s environment': async (use, { partner, request }) => {
        await change(use, { id: request.variant_id }, { environment: 'ENVIRONMENT_LIVE', stock_on_hand: 3 });
        return [await partner.call(use.rpc, request), await partner.elsewhere().call(use.rpc, request)];
      },
      'NOT_FOUND_VARIANT: an inactive one': inactive,
    }),
  }),
];
