import { expect } from '@jest/globals';
import { awaitsVersion } from '../common/partner-version';
import { rpc, service } from '../contract';
import { given, steps } from '../variations';

/** Display rates, and what finance knows of partners. */
export const rates = service('RateService', {
  SetRate: rpc((world) => [world, { currency: 'EUR', rate: '0.25' }], {
    'sets the rate that is in force from then on, with six decimals; safe to repeat': steps({}, {}, [
      'GetRate',
    ]),
    'returns when it was set': given(async ({ call }) =>
      expect(Date.parse(String((await call()).updated_at))).toBeGreaterThan(Date.now() - 60_000),
    ),
    'VALIDATION_FAILED: the wallet’s own currency': { currency: 'SAR', rate: '1' },
    'VALIDATION_FAILED: a rate of nothing': { rate: '0' },
    'VALIDATION_FAILED: seven decimals': { rate: '0.1234567' },
    'VALIDATION_FAILED: a million': { rate: '1000000' },
  }),
  GetRate: rpc((world) => [world, { currency: 'GBP', rate: '0.2' }], {
    'returns the rate in force': steps(['SetRate'], {}),
    'returns none for a currency without one': { currency: 'CHF' },
    'VALIDATION_FAILED: what is no currency': { currency: 'XX' },
  }),
  AwaitPartnerVersion: awaitsVersion,
});
