import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { Health } from './health';

describe('Health', () => {
  it('when a check fails or hangs, then it is named, without its reason, and the service is not ready', async () => {
    const health = new Health(new Registry());
    health.setServing(true);
    health.setChecks({
      database: () => Promise.reject(new Error('password of 10.0.0.7')),
      throwing: () => {
        throw new Error('at once');
      },
      finance: () => new Promise(() => undefined),
      bus: () => Promise.resolve(),
    });
    expect(await health.check()).toEqual({
      ready: false,
      checks: { serving: 'ok', database: 'failed', throwing: 'failed', finance: 'timed out', bus: 'ok' },
    });
  });

  it('when it does not serve yet or drains, then it is not ready', async () => {
    const health = new Health(new Registry());
    expect(await health.check()).toEqual({ ready: false, checks: { serving: 'failed' } });
  });
});
