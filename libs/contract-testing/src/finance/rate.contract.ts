import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ServiceContract } from '../contract';
import { identityPartner, PARTNER_TOPIC } from '../identity/partner-messages';
import { newPartner, type Partner, type World } from '../world';
import { funded } from './arrange';

/** A funded partner with a display currency that finance has seen, and a rate for it. */
export async function withDisplayRate(world: World, currency: string, rate: string): Promise<Partner> {
  const partner = await funded(world, '100.00');
  await world.call('RateService.SetRate', { currency, rate });
  await world.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerRegistered', partner.id, {
    partner: identityPartner(partner.id, { display_currency: currency, version: 1 }),
  });
  const seen = await world.call('RateService.AwaitPartnerVersion', { partner_id: partner.id, version: 1 });
  expect(seen).toEqual({ is_seen: true });
  return partner;
}

/** Display rates, and what finance knows of partners. */
export const rates: ServiceContract = {
  service: 'RateService',
  speaksFor: 'whom the request names',
  rpcs: {
    SetRate: {
      promises: {
        'sets the rate that is in force from then on, with six decimals; safe to repeat': async (world) => {
          const first = await world.call('RateService.SetRate', { currency: 'EUR', rate: '0.25' });
          expect(first).toMatchObject({ currency: 'EUR', rate: '0.250000' });
          expect(Date.parse(String(first['updated_at']))).toBeGreaterThan(Date.now() - 60_000);
          await world.call('RateService.SetRate', { currency: 'EUR', rate: '0.25' });
          expect(await world.call('RateService.GetRate', { currency: 'EUR' })).toEqual({ rate: '0.250000' });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'the wallet’s own currency': (world) =>
            world.call('RateService.SetRate', { currency: 'SAR', rate: '1' }),
          'a rate of nothing': (world) => world.call('RateService.SetRate', { currency: 'EUR', rate: '0' }),
          'seven decimals': (world) =>
            world.call('RateService.SetRate', { currency: 'EUR', rate: '0.1234567' }),
        },
      },
    },
    GetRate: {
      promises: {
        'answers the rate in force': async (world) => {
          await world.call('RateService.SetRate', { currency: 'GBP', rate: '0.2' });
          expect(await world.call('RateService.GetRate', { currency: 'GBP' })).toEqual({ rate: '0.200000' });
        },
        'answers none for a currency without one': async (world) => {
          expect(await world.call('RateService.GetRate', { currency: 'CHF' })).toEqual({});
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'what is no currency': (world) => world.call('RateService.GetRate', { currency: 'XX' }),
        },
      },
    },
    AwaitPartnerVersion: {
      promises: {
        'waits until the partner’s event has been seen in that version': async (world) => {
          const id = uuidv7();
          const waiting = world.call('RateService.AwaitPartnerVersion', { partner_id: id, version: 2 });
          await world.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated', id, {
            partner: identityPartner(id, { version: 2 }),
          });
          expect(await waiting).toEqual({ is_seen: true });
        },
        'answers "not seen" before the call’s deadline passes': async (world) => {
          const request = { partner_id: newPartner().id, version: 1 };
          expect(await world.call('RateService.AwaitPartnerVersion', request, {}, 1_500)).toEqual({
            is_seen: false,
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a partner id that is none': (world) =>
            world.call('RateService.AwaitPartnerVersion', { partner_id: 'me', version: 1 }),
        },
      },
    },
  },
};
