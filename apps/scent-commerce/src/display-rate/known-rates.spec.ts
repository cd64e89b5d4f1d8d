import { describe, expect, it } from '@jest/globals';
import { KnownRates } from './known-rates';

const HOUR = 3_600_000;

function setUp() {
  const state = { now: 0, stored: undefined as { rate: string | undefined } | undefined, saves: 0 };
  const known = new KnownRates({
    repository: {
      save: () => Promise.resolve(void (state.saves += 1)),
      find: () => Promise.resolve(state.stored),
    },
    log: { warn: () => undefined },
    now: () => state.now,
  });
  return { known, state };
}

describe('known rates (spec §3.3)', () => {
  it('when a rate was read, then it is known for an hour, and then only what another instance read since', async () => {
    const { known, state } = setUp();
    state.now = 5;
    known.remember('USD', '0.266600');
    state.now = 5 + HOUR;
    expect(await known.recall('USD')).toEqual({ rate: '0.266600' });
    state.now = 6 + HOUR;
    expect(await known.recall('USD')).toBeUndefined();
    state.stored = { rate: '0.270000' };
    expect(await known.recall('USD')).toEqual({ rate: '0.270000' });
  });

  it('when finance had none for a currency, then that is known as well', async () => {
    const { known, state } = setUp();
    state.stored = { rate: '1.000000' };
    known.remember('EUR', undefined);
    expect(await known.recall('EUR')).toEqual({ rate: undefined });
  });

  it('when a rate is read again and again, then it is kept once a minute, and at once when it is another', () => {
    const { known, state } = setUp();
    state.now = 1;
    for (let read = 0; read < 9; read += 1) known.remember('USD', '0.266600');
    expect(state.saves).toBe(1);
    known.remember('USD', '0.270000');
    expect(state.saves).toBe(2);
    state.now = 60_002;
    known.remember('USD', '0.270000');
    expect(state.saves).toBe(3);
  });
});
