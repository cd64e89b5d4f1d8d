import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ConsumedEventContract, EventContract, ServiceContract } from '../contract';
import { identityPartner, PARTNER_TOPIC } from '../identity/partner-messages';
import { part, text } from '../message';
import { newPartner } from '../world';
import { aVariant, change, knownPartner } from './arrange';
import { registerFor } from './back-in-stock.contract';

/** What scent-commerce knows of partners. */
export const partnerSettings: ServiceContract = {
  service: 'PartnerSettingsService',
  speaksFor: 'whom the request names',
  rpcs: {
    AwaitPartnerSettings: {
      promises: {
        'waits until the partner’s event has been seen in that version': async (world) => {
          const id = uuidv7();
          const request = { partner_id: id, version: 2 };
          const waiting = world.call('PartnerSettingsService.AwaitPartnerSettings', request);
          await world.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated', id, {
            partner: identityPartner(id, { version: 2 }),
          });
          expect(await waiting).toEqual({ is_seen: true });
        },
        'answers "not seen" before the call’s deadline passes': async (world) => {
          const request = { partner_id: newPartner().id, version: 1 };
          const answer = world.call('PartnerSettingsService.AwaitPartnerSettings', request, {}, 1_500);
          expect(await answer).toEqual({ is_seen: false });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a partner id that is none': (world) =>
            world.call('PartnerSettingsService.AwaitPartnerSettings', { partner_id: 'me', version: 1 }),
        },
      },
    },
  },
};

const TOPIC = 'reseller.scent.registration.v1';

/** What scent-commerce tells of. */
export const published: EventContract[] = [
  {
    type: 'reseller.scent.v1.VariantBackInStock',
    topic: TOPIC,
    promises: {
      'is sent once for each registration, keyed by the variant, when stock rises from nothing': async (
        world,
      ) => {
        const variant = await aVariant(world, { stock_on_hand: 0 });
        const key = text(variant, 'id');
        const before = world.eventsOfSoFar(key).length;
        const [one, other] = [newPartner(), newPartner('live')];
        const registrations = [
          await registerFor(world, one, variant, { customer_ref: 'c-1' }),
          await registerFor(world, other, variant),
        ];
        await change(world, key, { stock_on_hand: 30 });
        // A further rise, and one that is no rise from nothing, tell nobody.
        await change(world, key, { stock_on_hand: 40 });
        const events = (await world.eventsOf(key, before + 2)).slice(before);
        const told = [one, other].map(({ ref }, index) => ({
          ...ref,
          registration_id: registrations[index]?.['id'],
          variant_id: key,
          sku: variant['sku'],
          ...(index === 0 ? { customer_ref: 'c-1' } : {}),
          available_quantity: 30,
        }));
        expect(events.map(({ type, topic }) => [type, topic])).toEqual(
          told.map(() => ['reseller.scent.v1.VariantBackInStock', TOPIC]),
        );
        expect(events.map(({ payload }) => payload)).toEqual(expect.arrayContaining(told));
      },
    },
  },
];

/** What scent-commerce takes in. */
export const consumed: ConsumedEventContract[] = ['PartnerRegistered', 'PartnerUpdated'].map((name) => ({
  type: `reseller.identity.v1.${name}`,
  topic: PARTNER_TOPIC,
  effects: {
    'the partner’s settings count in its next price, and an older version changes nothing': async (world) => {
      const partner = await knownPartner(world, { commission_rate: '0.2' });
      const tell = (version: number, settings: object) =>
        world.publish(PARTNER_TOPIC, `reseller.identity.v1.${name}`, partner.id, {
          partner: identityPartner(partner.id, { version, ...settings }),
        });
      await tell(3, { commission_rate: '0.25', is_vat_registered: false });
      await tell(2, { commission_rate: '0.3' });
      await tell(4, { commission_rate: '0.25', is_vat_registered: false });
      const request = { partner_id: partner.id, version: 4 };
      await world.call('PartnerSettingsService.AwaitPartnerSettings', request);
      const lines = [{ variant_id: (await aVariant(world))['id'], quantity: 1 }];
      const quote = await world.call('CartService.QuotePrice', { lines }, partner.caller);
      expect(part(quote, 'totals')).toMatchObject({ commission_with_vat: '25.00' });
    },
    'a later kind of event on the topic does no harm': async (world) => {
      await world.publishBytes(
        PARTNER_TOPIC,
        'reseller.identity.v1.PartnerFrozen',
        uuidv7(),
        Buffer.from('x'),
      );
      await knownPartner(world);
    },
  },
}));
