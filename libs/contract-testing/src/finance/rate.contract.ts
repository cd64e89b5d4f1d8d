import { expect } from '@jest/globals';
import { rpc, service } from '../notation';
import { awaitsVersion } from '../common/partner-version';

/** Display rates, and what finance knows of partners. */
export const rates = service('RateService', {
  SetRate: rpc(async (world) => [world, { currency: 'EUR', rate: '0.25' }], {
    'sets the rate that is in force from then on, with six decimals; safe to repeat': async (use) => {
      const { call } = await use.given();
      for (const _ of ['once', 'again']) {
        const reply = await call();
        expect(reply).toMatchObject({ currency: 'EUR', rate: '0.250000' });
        expect(Date.parse(String(reply.updated_at))).toBeGreaterThan(Date.now() - 60_000);
      }
      expect(await use.call('GetRate', { currency: 'EUR' })).toEqual({ rate: '0.250000' });
    },
    'VALIDATION_FAILED: the wallet’s own currency': { currency: 'SAR', rate: '1' },
    'VALIDATION_FAILED: a rate of nothing': { rate: '0' },
    'VALIDATION_FAILED: seven decimals': { rate: '0.1234567' },
  }),
  GetRate: rpc(async (world) => [world], {
    'answers the rate in force': async (use) => {
      await use.call('SetRate', { currency: 'GBP', rate: '0.2' });
      expect(await use.call('GetRate', { currency: 'GBP' })).toEqual({ rate: '0.200000' });
    },
    'answers none for a currency without one': async (use) =>
      expect(await use.call('GetRate', { currency: 'CHF' })).toEqual({}),
    'VALIDATION_FAILED: what is no currency': { currency: 'XX' },
  }),
  AwaitPartnerVersion: awaitsVersion('AwaitPartnerVersion'),
});
