import { expect } from '@jest/globals';
import type { Case, Message } from '../contract';
import { partnerService, rpc, UNREACHABLE, type Sentences } from '../notation';
import { byAStranger, inTheOtherEnvironment, repeated, UNKNOWN } from '../variations';
import type { World } from '../world';
import { aCode, aVariant, begun, knownPartner, noUuid, terms, whileBegun, withCart } from './arrange';

const FIXED = 'DISCOUNT_TYPE_FIXED_AMOUNT';

/** A code of a partner, and how it is named with more in the request. */
const ofCode =
  (more: Message = {}) =>
  async (world: World) => {
    const partner = world.partner();
    return [partner, { id: (await aCode(partner)).id, ...more }] as const;
  };

/** Whose code it is not, or no code at all. */
const isOwn: Sentences = {
  ...noUuid('id'),
  'NOT_FOUND_DISCOUNT_CODE: an unknown id': { id: UNKNOWN },
  'NOT_FOUND_DISCOUNT_CODE: another partner’s': byAStranger,
  'NOT_FOUND_DISCOUNT_CODE: the other environment’s': inTheOtherEnvironment,
};

const unfitTerms: Sentences = {
  'VALIDATION_FAILED: no discount type': { terms: terms({ discount_type: 'DISCOUNT_TYPE_UNSPECIFIED' }) },
  'VALIDATION_FAILED: no product scope': { terms: terms({ product_scope: 'PRODUCT_SCOPE_UNSPECIFIED' }) },
  'VALIDATION_FAILED: a scoped variant that does not exist': {
    terms: terms({ product_scope: 'PRODUCT_SCOPE_VARIANT_LIST', scoped_variant_ids: [UNKNOWN] }),
  },
};

/** Why a code does not apply, by what the code is like. */
const REFUSALS: readonly (readonly [reason: string, code: Message])[] = [
  ['INACTIVE', { is_active: false }],
  ['NOT_STARTED', { valid_from: new Date('2099-01-01T00:00:00Z') }],
  ['EXPIRED', { valid_to: new Date('2020-01-01T00:00:00Z') }],
  ['CUSTOMER_REF_REQUIRED', { per_customer_cap: 1 }],
  ['BELOW_MINIMUM_ORDER', { min_order_value: '100000.00' }],
];

/** Deleting a code that an order redeems. */
const deleteRedeemed =
  (isCommitted: boolean): Case =>
  async (use) => {
    const { partner } = await withCart(use);
    const { id, code } = await aCode(partner);
    const remove = () => partner.call('DeleteDiscountCode', { id });
    if (!isCommitted) return whileBegun(partner, remove, { discount_code: code });
    await partner.call('CommitCheckout', (await begun(partner, { discount_code: code })).named);
    return remove();
  };

/** Discount codes of one partner. */
export const discountCodes = partnerService('DiscountCodeService', {
  ListDiscountCodes: rpc(undefined, {
    'lists newest first, page by page, and keeps to the active ones when asked': async (use) => {
      const partner = use.partner();
      const older = await aCode(partner);
      const newer = await aCode(partner, { is_active: false });
      for (const other of [use.partner(), partner.elsewhere()]) await aCode(other);
      expect(await partner.pages('ListDiscountCodes')).toEqual([newer, older]);
      expect(await partner.list('ListDiscountCodes', { is_active: true })).toEqual([older]);
    },
  }),
  GetDiscountCode: rpc(ofCode(), {
    'answers the code as it stands': async (use) => {
      const partner = use.partner();
      const code = await aCode(partner);
      expect(await partner.get('GetDiscountCode', { id: code.id })).toEqual(code);
    },
    ...isOwn,
  }),
  CreateDiscountCode: rpc(async (world) => [world.partner(), { code: 'SPRING', terms: terms() }], {
    'makes a code, its text in upper case, with the terms given': async (use) => {
      const partner = use.partner();
      const [from, to] = ['2026-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
      const given = {
        value: '12.50',
        total_usage_cap: 10,
        per_customer_cap: 1,
        product_scope: 'PRODUCT_SCOPE_VARIANT_LIST',
        scoped_variant_ids: [(await aVariant(use)).id],
        min_order_value: '20.00',
      };
      const request = terms({ ...given, valid_from: new Date(from), valid_to: new Date(to) });
      expect(await partner.get('CreateDiscountCode', { code: 'spring-26', terms: request })).toEqual({
        id: expect.any(String),
        partner_id: partner.id,
        code: 'SPRING-26',
        terms: terms({ ...given, valid_from: from, valid_to: to }),
        usage_count: 0,
        created_at: expect.any(String),
        last_modified_at: null,
      });
    },
    'another partner, and the other environment, may have the same text': async (use) => {
      const partner = use.partner();
      for (const one of [partner, use.partner(), partner.elsewhere()])
        await one.call('CreateDiscountCode', { code: 'SAME', terms: terms() });
    },
    ...unfitTerms,
    'CONFLICT_DISCOUNT_CODE_EXISTS: the same text in another letter case': repeated({ code: 'spring' }),
    'BUSINESS_RESOURCE_LIMIT: the 1,001st; that takes more calls than a contract makes': UNREACHABLE,
  }),
  UpdateDiscountCode: rpc(ofCode({ terms: terms() }), {
    'replaces everything but the text; what is absent becomes null; safe to repeat': async (use) => {
      const partner = use.partner();
      const { id, code } = await aCode(partner, { total_usage_cap: 10, min_order_value: '20.00' });
      const request = { id, terms: terms({ discount_type: FIXED, value: '7.00' }) };
      for (const _ of ['once', 'again'])
        expect(await partner.get('UpdateDiscountCode', request)).toMatchObject({
          id,
          code,
          last_modified_at: expect.any(String),
        });
      expect((await partner.get('GetDiscountCode', { id })).terms).toEqual({
        ...request.terms,
        valid_from: null,
        valid_to: null,
        scoped_variant_ids: [],
      });
    },
    ...unfitTerms,
    ...isOwn,
  }),
  DeleteDiscountCode: rpc(ofCode(), {
    'deletes a code that was never redeemed, and answers it as it was': async (use) => {
      const partner = use.partner();
      const code = await aCode(partner);
      expect(await partner.get('DeleteDiscountCode', { id: code.id })).toEqual(code);
      expect(await partner.list('ListDiscountCodes')).toEqual([]);
    },
    ...isOwn,
    'NOT_FOUND_DISCOUNT_CODE: one that was deleted': repeated(),
    'CONFLICT_DISCOUNT_CODE_REDEEMED: one that an order redeemed': deleteRedeemed(true),
    'CONFLICT_DISCOUNT_CODE_REDEEMED: one that an order is redeeming': deleteRedeemed(false),
  }),
  CheckDiscountCode: rpc(async (world) => [world.partner(), { code: 'X' }], {
    'says for how much it applies to the cart as it is now, and holds nothing': async (use) => {
      const { partner } = await withCart(use, 2);
      const { code, id } = await aCode(partner, { total_usage_cap: 1 });
      expect(await partner.twice('CheckDiscountCode', { code: String(code).toLowerCase() })).toEqual({
        code,
        refusal: 'DISCOUNT_REFUSAL_UNSPECIFIED',
        discount: { code, discount_type: 'DISCOUNT_TYPE_PERCENT', value: '10.00', amount: '20.00' },
      });
      expect(await partner.get('GetDiscountCode', { id })).toMatchObject({ usage_count: 0 });
    },
    'says the first reason against it': async (use) => {
      const { partner } = await withCart(use);
      for (const [reason, unfit] of REFUSALS) {
        const { code } = await aCode(partner, unfit);
        const refusal = `DISCOUNT_REFUSAL_${reason}`;
        expect(await partner.call('CheckDiscountCode', { code })).toEqual({ code, refusal, discount: null });
      }
    },
    'counts redemptions against its caps, and goods outside its scope for nothing': async (use) => {
      const { partner } = await withCart(use);
      const check = async ({ code }: Message) => (await partner.call('CheckDiscountCode', { code })).refusal;
      const capped = await aCode(partner, { total_usage_cap: 1 });
      const whileRedeemed = await whileBegun(partner, () => check(capped), { discount_code: capped.code });
      const scoped = await aCode(partner, {
        product_scope: 'PRODUCT_SCOPE_VARIANT_LIST',
        scoped_variant_ids: [(await aVariant(use)).id],
      });
      expect([whileRedeemed, await check(capped), await check(scoped)]).toEqual([
        'DISCOUNT_REFUSAL_USAGE_CAP_REACHED',
        'DISCOUNT_REFUSAL_UNSPECIFIED',
        'DISCOUNT_REFUSAL_NO_ELIGIBLE_LINES',
      ]);
    },
    'answers an unknown code as it was sent': async (use) =>
      expect(await (await knownPartner(use)).call('CheckDiscountCode', { code: 'No-Such' })).toEqual({
        code: 'No-Such',
        refusal: 'DISCOUNT_REFUSAL_UNKNOWN',
        discount: null,
      }),
    'VALIDATION_FAILED: an empty customer_ref': { customer_ref: '' },
  }),
});
