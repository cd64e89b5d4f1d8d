import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { part } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type Partner, type World } from '../world';
import { aCode, aVariant, begun, knownPartner, noUuid, terms, withCart } from './arrange';

const at = (rpc: string): string => `DiscountCodeService.${rpc}`;

const create = (world: World, { caller }: Partner, code: string, more: Message = {}) =>
  world.call(at('CreateDiscountCode'), { code, terms: terms(more) }, caller);

const get = (world: World, { caller }: Partner, id: unknown) =>
  world.call(at('GetDiscountCode'), { id }, caller);

/** Whose code it is not. */
const isNotFound = (rpc: string, more: Message = {}): Cases => ({
  'an unknown id': (world) => world.call(at(rpc), { id: uuidv7(), ...more }, newPartner().caller),
  'another partner’s': async (world) => {
    const { id } = await aCode(world, newPartner());
    return world.call(at(rpc), { id, ...more }, newPartner().caller);
  },
  'the other environment’s': async (world) => {
    const partner = newPartner();
    const { id } = await aCode(world, partner);
    return world.call(at(rpc), { id, ...more }, elsewhere(partner).caller);
  },
});

const unfitTerms = (call: (world: World, unfit: Message) => Promise<Message>): Cases => ({
  'no discount type': (world) => call(world, { discount_type: 'DISCOUNT_TYPE_UNSPECIFIED' }),
  'no product scope': (world) => call(world, { product_scope: 'PRODUCT_SCOPE_UNSPECIFIED' }),
  'a scoped variant that does not exist': (world) =>
    call(world, { product_scope: 'PRODUCT_SCOPE_VARIANT_LIST', scoped_variant_ids: [uuidv7()] }),
});

/** Why a code does not apply: what the code is like, and what the customer's cart is tried as. */
const REFUSALS: readonly (readonly [reason: string, code: Message, customer?: Message])[] = [
  ['INACTIVE', { is_active: false }],
  ['NOT_STARTED', { valid_from: new Date('2099-01-01T00:00:00Z') }],
  ['EXPIRED', { valid_to: new Date('2020-01-01T00:00:00Z') }],
  ['CUSTOMER_REF_REQUIRED', { per_customer_cap: 1 }],
  ['BELOW_MINIMUM_ORDER', { min_order_value: '100000.00' }],
];

/** Discount codes of one partner. */
export const discountCodes: ServiceContract = {
  service: 'DiscountCodeService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    ListDiscountCodes: {
      promises: {
        'lists newest first, page by page, and keeps to the active ones when asked': async (world) => {
          const partner = newPartner();
          const older = await aCode(world, partner);
          const newer = await aCode(world, partner, { is_active: false });
          await aCode(world, newPartner());
          await aCode(world, elsewhere(partner));
          const listed = await expectPages(world, {
            rpc: at('ListDiscountCodes'),
            field: 'discount_codes',
            caller: partner.caller,
          });
          expect(listed).toEqual([newer, older]);
          const active = await world.call(at('ListDiscountCodes'), { is_active: true }, partner.caller);
          expect(active['discount_codes']).toEqual([older]);
        },
      },
    },
    GetDiscountCode: {
      promises: {
        'answers the code as it stands': async (world) => {
          const partner = newPartner();
          const code = await aCode(world, partner);
          expect(await get(world, partner, code['id'])).toEqual({ discount_code: code });
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid(at('GetDiscountCode'), 'id'),
        NOT_FOUND_DISCOUNT_CODE: isNotFound('GetDiscountCode'),
      },
    },
    CreateDiscountCode: {
      promises: {
        'makes a code, its text in upper case, with the terms given': async (world) => {
          const partner = newPartner();
          const given = {
            value: '12.50',
            valid_from: new Date('2026-01-01T00:00:00Z'),
            valid_to: new Date('2099-01-01T00:00:00Z'),
            total_usage_cap: 10,
            per_customer_cap: 1,
            product_scope: 'PRODUCT_SCOPE_VARIANT_LIST',
            scoped_variant_ids: [(await aVariant(world))['id']],
            min_order_value: '20.00',
          };
          const answer = await create(world, partner, 'spring-26', given);
          expect(answer['discount_code']).toEqual({
            id: expect.any(String),
            partner_id: partner.id,
            code: 'SPRING-26',
            terms: {
              ...terms(given),
              valid_from: given.valid_from.toISOString(),
              valid_to: given.valid_to.toISOString(),
            },
            usage_count: 0,
            created_at: expect.any(String),
            last_modified_at: null,
          });
        },
        'another partner, and the other environment, may have the same text': async (world) => {
          const partner = newPartner();
          for (const one of [partner, newPartner(), elsewhere(partner)]) await create(world, one, 'SAME');
        },
      },
      refuses: {
        VALIDATION_FAILED: unfitTerms((world, unfit) => create(world, newPartner(), 'SPRING', unfit)),
        CONFLICT_DISCOUNT_CODE_EXISTS: {
          'the same text in another letter case': async (world) => {
            const partner = newPartner();
            await create(world, partner, 'SPRING');
            return create(world, partner, 'spring');
          },
        },
      },
    },
    UpdateDiscountCode: {
      promises: {
        'replaces everything but the text; what is absent becomes null; safe to repeat': async (world) => {
          const partner = newPartner();
          const code = await aCode(world, partner, { total_usage_cap: 10, min_order_value: '20.00' });
          const request = {
            id: code['id'],
            terms: terms({ discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '7.00' }),
          };
          const update = () => world.call(at('UpdateDiscountCode'), request, partner.caller);
          const changed = part(await update(), 'discount_code');
          expect(changed).toMatchObject({
            id: code['id'],
            code: code['code'],
            last_modified_at: expect.any(String),
          });
          expect(changed['terms']).toEqual({
            ...request.terms,
            valid_from: null,
            valid_to: null,
            scoped_variant_ids: [],
          });
          expect(part(await update(), 'discount_code')['terms']).toEqual(changed['terms']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          ...unfitTerms(async (world, unfit) => {
            const partner = newPartner();
            const { id } = await aCode(world, partner);
            return world.call(at('UpdateDiscountCode'), { id, terms: terms(unfit) }, partner.caller);
          }),
          ...noUuid(at('UpdateDiscountCode'), 'id'),
        },
        NOT_FOUND_DISCOUNT_CODE: isNotFound('UpdateDiscountCode', { terms: terms() }),
      },
    },
    DeleteDiscountCode: {
      promises: {
        'deletes a code that was never redeemed, and answers it as it was': async (world) => {
          const partner = newPartner();
          const code = await aCode(world, partner);
          const request = { id: code['id'] };
          expect(await world.call(at('DeleteDiscountCode'), request, partner.caller)).toEqual({
            discount_code: code,
          });
          await expect(get(world, partner, code['id'])).rejects.toMatchObject({
            code: 'NOT_FOUND_DISCOUNT_CODE',
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid(at('DeleteDiscountCode'), 'id'),
        NOT_FOUND_DISCOUNT_CODE: isNotFound('DeleteDiscountCode'),
        CONFLICT_DISCOUNT_CODE_REDEEMED: {
          'one that an order redeemed': async (world) => {
            const { partner } = await withCart(world);
            const { id, code } = await aCode(world, partner);
            const { named } = await begun(world, partner, { discount_code: code });
            await world.call('CheckoutService.CommitCheckout', named);
            return world.call(at('DeleteDiscountCode'), { id }, partner.caller);
          },
          'one that an order is redeeming': async (world) => {
            const { partner } = await withCart(world);
            const { id, code } = await aCode(world, partner);
            const { named } = await begun(world, partner, { discount_code: code });
            try {
              return await world.call(at('DeleteDiscountCode'), { id }, partner.caller);
            } finally {
              await world.call('CheckoutService.CancelCheckout', named);
            }
          },
        },
      },
    },
    CheckDiscountCode: {
      promises: {
        'says for how much it applies to the cart as it is now, and holds nothing': async (world) => {
          const { partner } = await withCart(world, 2);
          const { code, id } = await aCode(world, partner, { total_usage_cap: 1 });
          for (const _ of ['once', 'again'])
            expect(
              await world.call(at('CheckDiscountCode'), { code: String(code).toLowerCase() }, partner.caller),
            ).toEqual({
              code,
              refusal: 'DISCOUNT_REFUSAL_UNSPECIFIED',
              discount: { code, discount_type: 'DISCOUNT_TYPE_PERCENT', value: '10.00', amount: '20.00' },
            });
          expect(part(await get(world, partner, id), 'discount_code')['usage_count']).toBe(0);
        },
        'says the first reason against it': async (world) => {
          const { partner } = await withCart(world);
          for (const [reason, unfit] of REFUSALS) {
            const { code } = await aCode(world, partner, unfit);
            expect(await world.call(at('CheckDiscountCode'), { code }, partner.caller)).toEqual({
              code,
              refusal: `DISCOUNT_REFUSAL_${reason}`,
              discount: null,
            });
          }
        },
        'counts redemptions against its caps, and goods outside its scope for nothing': async (world) => {
          const { partner } = await withCart(world);
          const check = async (code: unknown) =>
            (await world.call(at('CheckDiscountCode'), { code }, partner.caller))['refusal'];
          const capped = await aCode(world, partner, { total_usage_cap: 1 });
          const { named } = await begun(world, partner, { discount_code: capped['code'] });
          expect(await check(capped['code'])).toBe('DISCOUNT_REFUSAL_USAGE_CAP_REACHED');
          await world.call('CheckoutService.CancelCheckout', named);
          expect(await check(capped['code'])).toBe('DISCOUNT_REFUSAL_UNSPECIFIED');
          const scoped = await aCode(world, partner, {
            product_scope: 'PRODUCT_SCOPE_VARIANT_LIST',
            scoped_variant_ids: [(await aVariant(world))['id']],
          });
          expect(await check(scoped['code'])).toBe('DISCOUNT_REFUSAL_NO_ELIGIBLE_LINES');
        },
        'answers an unknown code as it was sent': async (world) => {
          const { caller } = await knownPartner(world);
          expect(await world.call(at('CheckDiscountCode'), { code: 'No-Such' }, caller)).toEqual({
            code: 'No-Such',
            refusal: 'DISCOUNT_REFUSAL_UNKNOWN',
            discount: null,
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'an empty customer_ref': (world) =>
            world.call(at('CheckDiscountCode'), { code: 'X', customer_ref: '' }, newPartner().caller),
        },
      },
    },
  },
};
