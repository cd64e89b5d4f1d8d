import { rpc, uuidv7 } from '../prelude';
import type { EventContract, Message, Party, RpcContract, Use } from '../prelude';
import { PARTNER_TOPIC, publishPartner } from '../identity/partner-messages';

/** How a service that takes in identity's partners says which version it has seen. */
export const awaitsVersion: RpcContract = rpc((world) => [world.partner(), { version: 2 }], {
  'waits until the partner’s event has been seen in that version': async (use) => {
    const partner = use.partner();
    const waiting = partner.call(use.rpc, { version: 2 });
    await publishPartner(use, partner, 'PartnerUpdated', { version: 2 });
    return waiting;
  },
  'returns "not seen" before the call’s deadline passes': (use) =>
    use.partner().call(use.rpc, { version: 1 }, 1_500),
});

/** How such a service takes both of identity's events in: the newest version counts, whatever comes after it. */
export const takesInPartners = (
  sentence: string,
  awaits: string,
  known: (use: Use) => Promise<Party>,
  settings: { newer: Message; older: Message },
  seen: (partner: Party, use: Use) => Promise<unknown>,
): EventContract[] =>
  (['PartnerRegistered', 'PartnerUpdated'] as const).map((name) => ({
    type: `reseller.identity.v1.${name}`,
    topic: PARTNER_TOPIC,
    sentences: {
      [sentence]: async (use) => {
        const partner = await known(use);
        await publishPartner(use, partner, name, { version: 3, ...settings.newer });
        await publishPartner(use, partner, name, { version: 2, ...settings.older });
        // A later event of the same partner: once it is seen, the older one was seen too.
        await publishPartner(use, partner, name, { version: 4, ...settings.newer });
        await partner.call(awaits, { version: 4 });
        return seen(partner, use);
      },
      'a later kind of event on the topic does no harm': async (use) => {
        const type = 'reseller.identity.v1.PartnerFrozen';
        await use.publishBytes(PARTNER_TOPIC, type, uuidv7(), Buffer.from('x'));
        await known(use);
      },
    },
  }));
