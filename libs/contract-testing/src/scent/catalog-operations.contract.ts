import { about, byOperators, expect, lists, operatorRpc, rpc, service, steps } from '../prelude';
import type { Case, Message, World } from '../prelude';
import { add, aVariant, change, knownPartner, stocked, stockOf, whileBegun } from './arrange';

const ofVariant = async (world: World) => ({
  partner: world.partner(),
  request: { variant_id: (await aVariant(world)).id } as Message,
});

const stockIn = (name: string, stock_on_hand: number) => ({
  environment: `ENVIRONMENT_${name}`,
  stock_on_hand,
  stock_reserved: 0,
});

/** Calls in turn; returns what stock each shows. */
const stockAfter =
  (...patches: readonly Message[]): Case =>
  async (use, given) => {
    const replies = (await steps(...patches)(use, given)) as Message[];
    return replies.map(({ variant }) => (variant as Message).stock);
  };

/** The given call, while an order has three of the variant's 50 units. */
const whileThreeAreReserved =
  (patch: Message): Case =>
  async (use, { request, call }) => {
    const partner = await knownPartner(use);
    await add(partner, { id: request.variant_id }, 3);
    return whileBegun(partner, () => call(patch));
  };

/** The catalog as operators keep it. */
export const catalogOperations = service('CatalogOperationsService', {
  ListStockedVariants: lists(async (world) => {
    const { id, is_active } = await aVariant(world, { is_active: false });
    return [world, [{ id, is_active }]];
  }),
  GetStockedVariant: rpc(ofVariant, {
    'returns stock, costs and the prices of partners': async (use, { partner, request }) => {
      const variant = await use.get(use.rpc, request);
      await partner.call('SetPartnerPrice', { ...request, list_price: '95.00' });
      const { partner_prices, ...rest } = await stocked(use, variant);
      expect(variant).toMatchObject(rest);
      expect(partner_prices).toContainEqual({ partner_id: partner.id, list_price: '95.00' });
    },
  }),
  UpdateVariant: operatorRpc(ofVariant, {
    'changes what is present and leaves the rest': async (use) => {
      const variant = await aVariant(use);
      const changes = { stock_on_hand: 7, list_price: '99.50', cost: '41.00', rrp: '140.00' };
      const changed = await change(use, variant, changes);
      const stock = ['LIVE', 'SANDBOX'].map((name) => stockIn(name, 7));
      expect(changed).toMatchObject({ ...variant, ...changes, stock, stock_reserved: 0 });
      expect(await change(use, variant, { rrp: '' })).not.toHaveProperty('rrp');
    },
    'a refusal changes nothing': async (use, { who, request }) => {
      const code = await who.refusal(use.rpc, { ...request, cost: '1.00', list_price: '-1' });
      const { cost } = await stocked(use, { id: request.variant_id });
      expect([code, cost]).toEqual(['VALIDATION_FAILED', '40.00']);
    },
    'VALIDATION_FAILED: a stock below nothing': { stock_on_hand: -1 },
    'VALIDATION_FAILED: a stock below what orders have reserved': whileThreeAreReserved({ stock_on_hand: 2 }),
    'changes the stock of the environment it names, and shows both': stockAfter(
      { stock_on_hand: 7 },
      { stock_on_hand: 3, environment: 'ENVIRONMENT_SANDBOX' },
    ),
    'CONFLICT_STOCK_CHANGED: another number than expected in one of the two': [
      { stock_on_hand: 8, environment: 'ENVIRONMENT_SANDBOX' },
      { stock_on_hand: 9, expected_stock_on_hand: 50 },
    ],
    'is done where the number is as expected': stockAfter(
      { stock_on_hand: 8, environment: 'ENVIRONMENT_SANDBOX' },
      { stock_on_hand: 9, expected_stock_on_hand: 50, environment: 'ENVIRONMENT_LIVE' },
    ),
  }),
  AddVariantStock: operatorRpc(byOperators(about(ofVariant, { delta: 5 })), {
    'adds in both environments, or in the one it names; a call made twice counts twice': stockAfter(
      {},
      {},
      { delta: -20, environment: 'ENVIRONMENT_LIVE' },
    ),
    'calls at the same time add up': async (use, { request, call }) => {
      await Promise.all([1, 2, 3, 4, 5, 6].map((delta) => call({ delta })));
      return stockOf(use, { id: request.variant_id });
    },
    'VALIDATION_FAILED: less than nothing would be left': { delta: -51 },
    'VALIDATION_FAILED: less than orders have reserved would be left': whileThreeAreReserved({
      delta: -48,
    }),
    'VALIDATION_FAILED: more than a billion': { delta: 1_000_000_001 },
  }),
  SetPartnerPrice: operatorRpc(about(ofVariant, { list_price: '90.00' }), {
    'sets what one partner pays; safe to repeat': [{ list_price: '88.5' }, { list_price: '88.50' }],
  }),
  ListBrandTerms: lists((world) => [world]),
  UpdateBrand: operatorRpc(async (world) => [world, { brand_id: (await aVariant(world)).brand_id }], {
    'sets a commission rate, leaves it when absent, and clears it by an empty text': [
      { commission_rate: '0.125' },
      {},
      { commission_rate: '' },
    ],
  }),
});
