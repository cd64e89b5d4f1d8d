import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { Message } from '../contract';
import { partnerService, rpc, UNREACHABLE } from '../notation';
import type { Party } from '../party';
import { byAStranger, inTheOtherEnvironment, UNKNOWN } from '../variations';
import type { World } from '../world';
import { aVariant, change, noUuid } from './arrange';

/** Registers for a variant. */
export const registerFor = (partner: Party, { id }: Message, more: Message = {}): Promise<Message> =>
  partner.get('RegisterBackInStock', { variant_id: id, ...more });

const CANCELLED = { status: 'BACK_IN_STOCK_STATUS_CANCELLED' };
const NOTIFIED = { status: 'BACK_IN_STOCK_STATUS_NOTIFIED' };

/** A registration that was notified, since its variant came back in stock. */
async function notified(world: World) {
  const partner = world.partner();
  const variant = await aVariant(world, { stock_on_hand: 0 });
  const registration = await registerFor(partner, variant);
  await change(world, variant, { stock_on_hand: 4 });
  await eventually(async () =>
    expect(await partner.list('ListBackInStockRegistrations')).toMatchObject([NOTIFIED]),
  );
  return { partner, variant, registration };
}

/** Wishes to be told when a variant is back. */
export const backInStock = partnerService('BackInStockService', {
  RegisterBackInStock: rpc(async (world) => [world.partner(), { variant_id: (await aVariant(world)).id }], {
    'registers once for a variant and customer; safe to repeat': async (use) => {
      const partner = use.partner();
      const variant = await aVariant(use);
      const customer = { customer_ref: 'c-1' };
      const first = await registerFor(partner, variant, customer);
      expect(first).toEqual({
        ...customer,
        id: expect.any(String),
        variant_id: variant.id,
        sku: variant.sku,
        status: 'BACK_IN_STOCK_STATUS_ACTIVE',
        created_at: expect.any(String),
        notified_at: null,
      });
      expect(await registerFor(partner, variant, customer)).toEqual(first);
      const others = [
        await registerFor(partner, variant),
        await registerFor(partner.elsewhere(), variant, customer),
      ];
      expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
    },
    ...noUuid('variant_id'),
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
    'NOT_FOUND_VARIANT: an inactive one': async (use) =>
      registerFor(use.partner(), await aVariant(use, { is_active: false })),
    'BUSINESS_RESOURCE_LIMIT: the 10,001st Active one; that takes more calls than a contract makes':
      UNREACHABLE,
  }),
  ListBackInStockRegistrations: rpc(undefined, {
    'lists every status, newest first, page by page, and nobody else’s': async (use) => {
      const { partner, variant, registration } = await notified(use);
      const active = await registerFor(partner, variant);
      for (const other of [use.partner(), partner.elsewhere()]) await registerFor(other, variant);
      expect(await partner.pages('ListBackInStockRegistrations')).toEqual([
        active,
        { ...registration, ...NOTIFIED, notified_at: expect.any(String) },
      ]);
    },
  }),
  CancelBackInStock: rpc(
    async (world) => {
      const partner = world.partner();
      return [partner, { id: (await registerFor(partner, await aVariant(world))).id }];
    },
    {
      'cancels an active registration; safe to repeat': async (use) => {
        const partner = use.partner();
        const registration = await registerFor(partner, await aVariant(use));
        const { id } = registration;
        expect(await partner.twice('CancelBackInStock', { id })).toEqual({
          registration: { ...registration, ...CANCELLED },
        });
      },
      'leaves one that was notified as it is': async (use) => {
        const { partner, registration } = await notified(use);
        const { id } = registration;
        expect(await partner.get('CancelBackInStock', { id })).toMatchObject(NOTIFIED);
      },
      ...noUuid('id'),
      'NOT_FOUND_BACK_IN_STOCK_REGISTRATION: an unknown one': { id: UNKNOWN },
      'NOT_FOUND_BACK_IN_STOCK_REGISTRATION: another partner’s': byAStranger,
      'NOT_FOUND_BACK_IN_STOCK_REGISTRATION: the other environment’s': inTheOtherEnvironment,
    },
  ),
});
