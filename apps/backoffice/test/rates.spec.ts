import { describe, expect, it } from '@jest/globals';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('rates', () => {
  it('when a rate is set, then six decimals are taken and a seventh, a million, SAR or an unknown code is not (spec §3.3)', async () => {
    const set = await backoffice.send('PUT', '/rates/USD', { rate: 0.266667 });
    expect(set.body.payload).toMatchObject({ currency: 'USD', rate: 0.266667 });
    expect(backoffice.rpcs()).toEqual(['recordAuditEntry', 'setRate']);
    for (const [currency, rate] of [
      ['USD', 0.2666667],
      ['SAR', 1],
      ['XYZ', 1],
      ['USD', 0],
      ['USD', 1_000_000],
    ] as const) {
      expect((await backoffice.send('PUT', `/rates/${currency}`, { rate })).body.state).toBe(
        'VALIDATION_FAILED',
      );
    }
  });
});
