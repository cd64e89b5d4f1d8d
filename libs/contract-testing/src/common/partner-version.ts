import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ConsumedEventContract, Message, RpcContract, Use } from '../contract';
import { identityPartner, PARTNER_TOPIC } from '../identity/partner-messages';
import { rpc } from '../notation';
import type { Party } from '../party';

const IDENTITY = 'reseller.identity.v1';

/** How a service that takes in identity's partners says which version it has seen. */
export const awaitsVersion = (name: string): RpcContract =>
  rpc(async (world) => [world.partner(), { version: 2 }], {
    'waits until the partner’s event has been seen in that version': async (use) => {
      const partner = use.partner();
      const waiting = partner.call(name, { version: 2 });
      await use.publish(PARTNER_TOPIC, `${IDENTITY}.PartnerUpdated`, partner.id, {
        partner: identityPartner(partner.id, { version: 2 }),
      });
      expect(await waiting).toEqual({ is_seen: true });
    },
    'answers "not seen" before the call’s deadline passes': async (use) =>
      expect(await use.partner().call(name, { version: 1 }, 1_500)).toEqual({ is_seen: false }),
    'VALIDATION_FAILED: a partner id that is none': { partner_id: 'me' },
  });

/** How such a service takes both of identity's events in: the newest version counts, whatever comes after it. */
export const takesInPartners = (
  sentence: string,
  awaits: string,
  known: (use: Use) => Promise<Party>,
  newer: Message,
  older: Message,
  check: (partner: Party, use: Use) => Promise<unknown>,
): ConsumedEventContract[] =>
  ['PartnerRegistered', 'PartnerUpdated'].map((name) => ({
    type: `${IDENTITY}.${name}`,
    topic: PARTNER_TOPIC,
    effects: {
      [sentence]: async (use) => {
        const partner = await known(use);
        // A later event of the same partner: once it is seen, the older one was seen too.
        for (const [version, settings] of [
          [3, newer],
          [2, older],
          [4, newer],
        ] as const)
          await use.publish(PARTNER_TOPIC, `${IDENTITY}.${name}`, partner.id, {
            partner: identityPartner(partner.id, { version, ...settings }),
          });
        await partner.call(awaits, { version: 4 });
        await check(partner, use);
      },
      'a later kind of event on the topic does no harm': async (use) => {
        await use.publishBytes(PARTNER_TOPIC, `${IDENTITY}.PartnerFrozen`, uuidv7(), Buffer.from('x'));
        await known(use);
      },
    },
  }));
