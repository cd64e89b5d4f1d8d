import { expect, lists, partnerService, reads, replies, rpc, UNKNOWN, UNREACHABLE } from '../prelude';
import type { Case, Message, Sentences, World } from '../prelude';
import { aCode, aVariant, begun, FIXED, terms, whileBegun, withCart } from './arrange';

/** A code of a partner, which the request names. */
async function coded(world: World) {
  const partner = world.partner();
  const code = await aCode(partner);
  return { partner, code, request: { id: code.id, terms: terms() } };
}

/** A check of a code of the partner whose cart has 200.00 in it. */
const onCart =
  (more: Message = {}) =>
  async (world: World) => {
    const { partner } = await withCart(world, 2);
    return [partner, { code: (await aCode(partner, more)).code }] as const;
  };

const scopedTo = ({ id }: Message): Message => ({
  product_scope: 'PRODUCT_SCOPE_VARIANT_LIST',
  scoped_variant_ids: [id],
});

const unfitTerms: Sentences = {
  'VALIDATION_FAILED: a scoped variant that does not exist': { terms: terms(scopedTo({ id: UNKNOWN })) },
};

/** What codes are like that do not apply, for one reason each. */
const UNFIT: readonly Message[] = [
  { is_active: false },
  { valid_from: new Date('2099-01-01T00:00:00Z') },
  { valid_to: new Date('2020-01-01T00:00:00Z') },
  { per_customer_cap: 1 },
  { min_order_value: '100000.00' },
];

/** Deleting a code that an order redeems. */
const deleteRedeemed =
  (isCommitted: boolean): Case =>
  async (use) => {
    const { partner } = await withCart(use);
    const { id, code } = await aCode(partner);
    const remove = () => partner.call('DeleteDiscountCode', { id });
    if (!isCommitted) return whileBegun(partner, remove, { discount_code: code });
    await partner.call('CommitCheckout', (await begun(partner, { discount_code: code })).request);
    return remove();
  };

const SEVEN_OFF = { discount_type: FIXED, value: '7.00' };
const EVERYTHING = {
  value: '12.50',
  total_usage_cap: 10,
  per_customer_cap: 1,
  min_order_value: '20.00',
  valid_from: new Date('2026-01-01T00:00:00Z'),
  valid_to: new Date('2099-01-01T00:00:00Z'),
};

/** Discount codes of one partner. */
export const discountCodes = partnerService('DiscountCodeService', {
  ListDiscountCodes: lists(
    async (world) => {
      const { partner, code } = await coded(world);
      return [partner, [code, await aCode(partner, { is_active: false })]];
    },
    {
      'keeps to the active ones when wanted': replies(
        { discount_codes: [{ terms: { is_active: true } }] },
        { is_active: true },
      ),
    },
  ),
  GetDiscountCode: reads(async (world) => {
    const { partner, code } = await coded(world);
    return [partner, code];
  }),
  CreateDiscountCode: rpc((world) => [world.partner(), { code: 'SPRING', terms: terms() }], {
    'makes a code, its text in upper case, with the terms given': async (use, { call }) =>
      call({ code: 'spring-26', terms: terms({ ...EVERYTHING, ...scopedTo(await aVariant(use)) }) }),
    'another partner and the other environment may have the same text': async (use, { partner, request }) => {
      for (const one of [partner, use.partner(), partner.elsewhere()]) await one.call(use.rpc, request);
    },
    ...unfitTerms,
    'CONFLICT_DISCOUNT_CODE_EXISTS: the same text in another letter case': [{}, { code: 'spring' }],
    'BUSINESS_RESOURCE_LIMIT: the 1,001st; that takes more calls than a contract makes': UNREACHABLE,
  }),
  UpdateDiscountCode: rpc(coded, {
    'replaces everything but the text; what is absent becomes null; safe to repeat': [
      ...[EVERYTHING, SEVEN_OFF, SEVEN_OFF].map((one) => ({ terms: terms(one) })),
    ],
    ...unfitTerms,
  }),
  DeleteDiscountCode: rpc(coded, {
    'deletes a code that was never redeemed, and returns it as it was': async (
      _,
      { partner, code, call },
    ) => {
      expect(await call()).toEqual({ discount_code: code });
      expect(await partner.list('ListDiscountCodes')).toEqual([]);
    },
    'CONFLICT_DISCOUNT_CODE_REDEEMED: one that an order redeemed': deleteRedeemed(true),
    'CONFLICT_DISCOUNT_CODE_REDEEMED: one that an order is redeeming': deleteRedeemed(false),
  }),
  CheckDiscountCode: rpc(onCart({ total_usage_cap: 1 }), {
    'says for how much it applies to the cart as it is now, and holds nothing': async (use, given) => {
      const { code } = given.request;
      const check = await given.partner.twice(use.rpc, { code: String(code).toLowerCase() });
      const [{ usage_count } = {}] = await given.partner.list('ListDiscountCodes');
      expect([check.code, usage_count]).toEqual([code, 0]);
      return check;
    },
    'says the first reason against it': async (_, { partner, call }) => {
      const codes = [];
      for (const unfit of UNFIT) codes.push((await aCode(partner, unfit)).code);
      return Promise.all(codes.map(async (code) => (await call({ code })).refusal));
    },
    'counts redemptions against its caps, and goods outside its scope for nothing': async (use, given) => {
      const { partner, request, call } = given;
      const whileRedeemed = await whileBegun(partner, () => call(), { discount_code: request.code });
      const { code } = await aCode(partner, scopedTo(await aVariant(use)));
      return [whileRedeemed, await call(), await call({ code })].map(({ refusal }) => refusal);
    },
    'returns an unknown code as it was sent': { code: 'No-Such' },
  }),
});
