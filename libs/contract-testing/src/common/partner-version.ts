import { eventually, expect, rpc } from '../prelude';
import type { EventContract, Message, Party, RpcContract, Use } from '../prelude';
import { PARTNER_TOPIC, publishPartner } from '../identity/partner-messages';
import { deadLettered } from './dead-letter.contract';

/** How a service that takes in identity's partners says which version it has seen. */
export const awaitsVersion: RpcContract = rpc((world) => [world.partner(), { version: 2 }], {
  'waits until the partner’s event has been seen in that version': async (use) => {
    const partner = use.partner();
    const waiting = partner.call(use.rpc, { version: 2 });
    await publishPartner(use, partner, 'PartnerUpdated', { version: 2 });
    return waiting;
  },
  // On a busy machine the reply may miss so short a deadline.
  'returns "not seen" before the call’s deadline passes': (use) =>
    eventually(() => use.partner().call(use.rpc, { version: 1 }, 600)),
});

/** How such a service takes both of identity's events in: the newest version counts, whatever comes after it. */
export const takesInPartners = (
  sentence: string,
  awaits: string,
  known: (use: Use) => Promise<Party>,
  settings: { newer: Message; older: Message },
  seen: (partner: Party, use: Use) => Promise<unknown>,
): EventContract[] =>
  (['PartnerRegistered', 'PartnerUpdated'] as const).map((name) => {
    const type = `reseller.identity.v1.${name}`;
    const awaitVersion = async (partner: Party, version: number): Promise<void> =>
      expect(await partner.call(awaits, { version })).toEqual({ is_seen: true });
    return {
      type,
      topic: PARTNER_TOPIC,
      sentences: {
        [sentence]: async (use) => {
          const partner = await known(use);
          await publishPartner(use, partner, name, { version: 3, ...settings.newer });
          await publishPartner(use, partner, name, { version: 2, ...settings.older });
          // A partner's events are taken in in their order, and this one changes nothing: after it the older one counts, if ever.
          await deadLettered(use, PARTNER_TOPIC, type, partner.id);
          await awaitVersion(partner, 3);
          return seen(partner, use);
        },
        'a later kind of event on the topic does no harm, and what is behind it still comes': async (use) => {
          const partner = await known(use);
          const later = 'reseller.identity.v1.PartnerFrozen';
          await use.publishBytes(PARTNER_TOPIC, later, partner.id, Buffer.from('x'));
          await publishPartner(use, partner, name, { version: 5 });
          await awaitVersion(partner, 5);
        },
      },
    };
  });
