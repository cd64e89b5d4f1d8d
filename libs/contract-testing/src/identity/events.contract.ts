import { expect } from '@jest/globals';
import type { EventContract } from '../contract';
import { part, text } from '../message';
import type { World } from '../world';
import { operator, register } from './arrange';
import { PARTNER_TOPIC } from './partner-messages';

const event = (name: string, partner: unknown, key: unknown) => ({
  type: `reseller.identity.v1.${name}`,
  topic: PARTNER_TOPIC,
  key,
  payload: { partner },
});

async function renamed(world: World, id: unknown, name: string) {
  const request = { partner_id: id, name };
  return part(await world.call('PartnerService.UpdatePartner', request, operator), 'partner');
}

/** What identity tells of. */
export const published: EventContract[] = [
  {
    type: 'reseller.identity.v1.PartnerRegistered',
    topic: PARTNER_TOPIC,
    promises: {
      'holds the whole partner as it was answered, keyed by its id': async (world) => {
        const partner = await register(world, { display_currency: 'USD', commission_rate: '0.1' });
        const events = await world.eventsOf(text(partner, 'id'), 1);
        expect(events).toEqual([event('PartnerRegistered', partner, partner['id'])]);
      },
    },
  },
  {
    type: 'reseller.identity.v1.PartnerUpdated',
    topic: PARTNER_TOPIC,
    promises: {
      'holds the whole partner after each change, in the order of its versions': async (world) => {
        const partner = await register(world);
        const changes = [
          await renamed(world, partner['id'], 'Two'),
          await renamed(world, partner['id'], 'Three'),
        ];
        const events = await world.eventsOf(text(partner, 'id'), 3);
        expect(events).toEqual([
          event('PartnerRegistered', partner, partner['id']),
          ...changes.map((changed) => event('PartnerUpdated', changed, partner['id'])),
        ]);
      },
      'is sent for every descendant that a move carries along': async (world) => {
        const [root, branch] = [await register(world), await register(world)];
        const leaf = await register(world, { parent_partner_id: branch['id'] });
        await world.call(
          'PartnerService.UpdatePartner',
          { partner_id: branch['id'], parent_partner_id: root['id'] },
          operator,
        );
        const [, carried] = await world.eventsOf(text(leaf, 'id'), 2);
        expect(carried?.payload).toEqual({
          partner: { ...leaf, path: [root['id'], branch['id'], leaf['id']], version: 2 },
        });
      },
    },
  },
];
