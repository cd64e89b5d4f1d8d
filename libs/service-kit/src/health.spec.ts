import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { Health } from './health';

class MemoryLog {
  readonly entries: [string, unknown][] = [];
  readonly warn = (fields: object): void => void this.entries.push(['warn', fields]);
  readonly info = (fields: object): void => void this.entries.push(['info', fields]);
}

function create(): { health: Health; log: MemoryLog } {
  const log = new MemoryLog();
  return { health: new Health(new Registry(), log as never), log };
}

describe('Health', () => {
  it('when a check fails or hangs, then it is named, without its reason, and the service is not ready', async () => {
    const { health } = create();
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
    const { health } = create();
    expect(await health.check()).toEqual({ ready: false, checks: { serving: 'failed' } });
  });

  it('when a check goes on failing and is well again, then each change is logged once, with its reason', async () => {
    const { health, log } = create();
    const reason = new Error('connection refused');
    let broken = true;
    health.setChecks({ database: () => (broken ? Promise.reject(reason) : Promise.resolve()) });
    await health.check();
    await health.check();
    broken = false;
    await health.check();
    expect(log.entries).toEqual([
      ['warn', { check: 'database', err: reason }],
      ['info', { check: 'database' }],
    ]);
  });
});
