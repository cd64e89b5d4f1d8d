import { eventually, expect, lists, partnerService, rpc, UNREACHABLE } from '../prelude';
import type { Message, Party, World } from '../prelude';
import { aVariant, change, inactive } from './arrange';

/** Registers for a variant. */
export const registerFor = (partner: Party, { id }: Message, more: Message = {}): Promise<Message> =>
  partner.get('RegisterBackInStock', { variant_id: id, ...more });

/** A registration that was notified, since its variant came back in stock. */
async function notified(world: World) {
  const partner = world.partner();
  const variant = await aVariant(world, { stock_on_hand: 0 });
  const registration = await registerFor(partner, variant);
  await change(world, variant, { stock_on_hand: 4 });
  await eventually(async () =>
    expect(await partner.list('ListBackInStockRegistrations')).toMatchObject([
      { status: 'BACK_IN_STOCK_STATUS_NOTIFIED' },
    ]),
  );
  return { partner, variant, registration };
}

const ofVariant = async (world: World) =>
  [world.partner(), { variant_id: (await aVariant(world)).id, customer_ref: 'c-1' }] as const;

const ofRegistration = async (world: World) => {
  const partner = world.partner();
  return [partner, { id: (await registerFor(partner, await aVariant(world))).id }] as const;
};

/** Wishes to be notified when a variant is back. */
export const backInStock = partnerService('BackInStockService', {
  RegisterBackInStock: rpc(ofVariant, {
    'registers once for a variant and customer; safe to repeat': [{}, {}, { customer_ref: undefined }],
    'registers in each environment': async (use) => {
      const [partner, variant] = [use.partner(), await aVariant(use)];
      return [await registerFor(partner, variant), await registerFor(partner.elsewhere(), variant)];
    },
    'NOT_FOUND_VARIANT: an inactive one': inactive,
    'BUSINESS_RESOURCE_LIMIT: the 10,001st Active one; that takes more calls than a contract makes':
      UNREACHABLE,
  }),
  ListBackInStockRegistrations: lists(
    async (world) => {
      const { partner, variant, registration } = await notified(world);
      return [partner, [{ id: registration.id }, await registerFor(partner, variant)]];
    },
    { 'has every status': async (_, { call }) => (await call()).registrations },
  ),
  CancelBackInStock: rpc(ofRegistration, {
    'cancels an active registration; safe to repeat': [{}, {}],
    'leaves one that was notified as it is': async (use) => {
      const { partner, registration } = await notified(use);
      return partner.call('CancelBackInStock', { id: registration.id });
    },
  }),
});
