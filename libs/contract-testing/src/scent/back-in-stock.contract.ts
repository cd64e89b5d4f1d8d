import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { part } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type Partner, type World } from '../world';
import { aVariant, change, noUuid } from './arrange';

const at = (rpc: string): string => `BackInStockService.${rpc}`;

/** Registers for a variant. */
export const registerFor = async (
  world: World,
  { caller }: Partner,
  { id }: Message,
  more: Message = {},
): Promise<Message> =>
  part(await world.call(at('RegisterBackInStock'), { variant_id: id, ...more }, caller), 'registration');

const cancel = (world: World, { caller }: Partner, id: unknown) =>
  world.call(at('CancelBackInStock'), { id }, caller);

/** Wishes to be told when a variant is back. */
export const backInStock: ServiceContract = {
  service: 'BackInStockService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    RegisterBackInStock: {
      promises: {
        'registers once for a variant and customer; safe to repeat': async (world) => {
          const partner = newPartner();
          const variant = await aVariant(world);
          const first = await registerFor(world, partner, variant, { customer_ref: 'c-1' });
          expect(first).toEqual({
            id: expect.any(String),
            variant_id: variant['id'],
            sku: variant['sku'],
            customer_ref: 'c-1',
            status: 'BACK_IN_STOCK_STATUS_ACTIVE',
            created_at: expect.any(String),
            notified_at: null,
          });
          expect(await registerFor(world, partner, variant, { customer_ref: 'c-1' })).toEqual(first);
          const others = [
            await registerFor(world, partner, variant),
            await registerFor(world, elsewhere(partner), variant, { customer_ref: 'c-1' }),
          ];
          expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid(at('RegisterBackInStock'), 'variant_id'),
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) => registerFor(world, newPartner(), { id: uuidv7() }),
          'an inactive one': async (world) =>
            registerFor(world, newPartner(), await aVariant(world, { is_active: false })),
        },
      },
    },
    ListBackInStockRegistrations: {
      promises: {
        'lists every status, newest first, page by page, and nobody else’s': async (world) => {
          const partner = newPartner();
          const variant = await aVariant(world, { stock_on_hand: 0 });
          const notified = await registerFor(world, partner, variant);
          await change(world, variant['id'], { stock_on_hand: 4 });
          const active = await registerFor(world, partner, variant);
          await registerFor(world, newPartner(), variant);
          await registerFor(world, elsewhere(partner), variant);
          const listed = await expectPages(world, {
            rpc: at('ListBackInStockRegistrations'),
            field: 'registrations',
            caller: partner.caller,
          });
          expect(listed).toEqual([
            active,
            { ...notified, status: 'BACK_IN_STOCK_STATUS_NOTIFIED', notified_at: expect.any(String) },
          ]);
        },
      },
    },
    CancelBackInStock: {
      promises: {
        'cancels an active registration; safe to repeat': async (world) => {
          const partner = newPartner();
          const registration = await registerFor(world, partner, await aVariant(world));
          const cancelled = {
            registration: { ...registration, status: 'BACK_IN_STOCK_STATUS_CANCELLED' },
          };
          expect(await cancel(world, partner, registration['id'])).toEqual(cancelled);
          expect(await cancel(world, partner, registration['id'])).toEqual(cancelled);
        },
        'leaves one that was notified as it is': async (world) => {
          const partner = newPartner();
          const variant = await aVariant(world, { stock_on_hand: 0 });
          const { id } = await registerFor(world, partner, variant);
          await change(world, variant['id'], { stock_on_hand: 1 });
          expect(part(await cancel(world, partner, id), 'registration')).toMatchObject({
            status: 'BACK_IN_STOCK_STATUS_NOTIFIED',
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: noUuid(at('CancelBackInStock'), 'id'),
        NOT_FOUND_BACK_IN_STOCK_REGISTRATION: {
          'an unknown one': (world) => cancel(world, newPartner(), uuidv7()),
          'another partner’s': async (world) => {
            const { id } = await registerFor(world, newPartner(), await aVariant(world));
            return cancel(world, newPartner(), id);
          },
          'the other environment’s': async (world) => {
            const partner = newPartner();
            const { id } = await registerFor(world, partner, await aVariant(world));
            return cancel(world, elsewhere(partner), id);
          },
        },
      },
    },
  },
};
