import { expect } from '@jest/globals';
import { events } from '../notation';
import { family, register, update } from './arrange';
import { PARTNER_TOPIC } from './partner-messages';
import type { Message } from '../contract';

const event = (name: string, partner: Message) => ({
  type: `reseller.identity.v1.${name}`,
  topic: PARTNER_TOPIC,
  key: partner.id,
  payload: { partner },
});

/** What identity publishes. */
export const published = events(PARTNER_TOPIC, 'reseller.identity.v1', {
  PartnerRegistered: {
    'holds the whole partner as it was answered, keyed by its id': async (use) => {
      const partner = await register(use, { display_currency: 'USD', commission_rate: '0.1' });
      expect(await use.eventsOf(String(partner.id), 1)).toEqual([event('PartnerRegistered', partner)]);
    },
  },
  PartnerUpdated: {
    'holds the whole partner after each change, in the order of its versions': async (use) => {
      const partner = await register(use);
      const changes = [
        await update(use, partner, { name: 'Two' }),
        await update(use, partner, { name: 'Three' }),
      ];
      expect(await use.eventsOf(String(partner.id), 3)).toEqual([
        event('PartnerRegistered', partner),
        ...changes.map((changed) => event('PartnerUpdated', changed)),
      ]);
    },
    'is sent for every descendant that a move carries along': async (use) => {
      const root = await register(use);
      const [branch, leaf] = await family(use);
      await update(use, branch, { parent_partner_id: root.id });
      const [, carried] = await use.eventsOf(String(leaf.id), 2);
      const path = [root.id, branch.id, leaf.id];
      expect(carried?.payload).toEqual({ partner: { ...leaf, path, version: 2 } });
    },
  },
});
