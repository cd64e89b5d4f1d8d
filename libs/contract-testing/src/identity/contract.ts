import { events, expect } from '../prelude';
import type { Contract, Message, World } from '../prelude';
import { audit } from './audit.contract';
import { family, freeze, register, update } from './arrange';
import { PARTNER_TOPIC } from './partner-messages';
import { certificationOperations, certifications, sightings } from './certification.contract';
import { operators } from './operator.contract';
import { partners } from './partner.contract';
import { tokens } from './token.contract';

/** The events of a partner: registered, and then each change, holding it as it was returned, keyed by its id. */
async function expectEvents(world: World, registered: Message, ...changed: Message[]): Promise<void> {
  const key = String(registered.id);
  const expected = [registered, ...changed].map((partner, index) => ({
    type: `reseller.identity.v1.Partner${index === 0 ? 'Registered' : 'Updated'}`,
    topic: PARTNER_TOPIC,
    key,
    payload: { partner, is_frozen_with_ancestors: partner.is_frozen },
  }));
  expect(await world.eventsOf(key, expected.length)).toEqual(expected);
}

const published = events(PARTNER_TOPIC, 'reseller.identity.v1', {
  PartnerRegistered: {
    'holds the whole partner as it was returned, keyed by its id': async (use) =>
      expectEvents(use, await register(use, { display_currency: 'USD', commission_rate: '0.1' })),
  },
  PartnerUpdated: {
    'holds the whole partner after each change, in the order of its versions': async (use) => {
      const partner = await register(use);
      const second = await update(use, partner, { name: 'Two' });
      await expectEvents(use, partner, second, await update(use, partner, { name: 'Three' }));
    },
    'says of everybody below a frozen partner that it is frozen, whoever else is, however it came there':
      async (use) => {
        const [parent, child] = await family(use);
        await freeze(use, child);
        await freeze(use, parent);
        const born = await register(use, { parent_partner_id: parent.id });
        const moved = await update(use, await register(use), { parent_partner_id: parent.id });
        await freeze(use, parent, false);
        const saidOf = async ({ id }: Message, count: number) =>
          (await use.eventsOf(String(id), count)).map(({ payload }) => payload.is_frozen_with_ancestors);
        expect(await saidOf(parent, 3)).toEqual([false, true, false]);
        expect(await saidOf(child, 4)).toEqual([false, true, true, true]);
        expect(await saidOf(born, 2)).toEqual([true, false]);
        expect(await saidOf(moved, 3)).toEqual([false, true, false]);
      },
    'is sent for every descendant that a move carries along': async (use) => {
      const root = await register(use);
      const [branch, leaf] = await family(use);
      await update(use, branch, { parent_partner_id: root.id });
      const path = [root.id, branch.id, leaf.id];
      await expectEvents(use, leaf, { ...leaf, path, version: 2 });
    },
  },
});

/** Everything other services may rely on in identity. */
export const identityContract: Contract = {
  app: 'identity',
  dependencies: () => ({}),
  services: [tokens, partners, audit, operators, certifications, certificationOperations, sightings],
  publishes: published,
  consumes: [],
};
