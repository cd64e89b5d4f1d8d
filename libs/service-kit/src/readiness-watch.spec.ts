import { describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { ReadinessWatch } from './readiness-watch';

describe('the ready checks as the health protocol has them', () => {
  it('when they fail once, then nothing changes; twice in a row, then NOT_SERVING until they are well again', async () => {
    const outcomes = [true, false, true, false, false, false, true, true];
    const reported: [after: number, isReady: boolean][] = [];
    let looks = 0;
    const check = async () => ({ ready: outcomes[looks++] ?? true, checks: {} });
    const watch = new ReadinessWatch({ check }, (isReady) => reported.push([looks, isReady]), 1);
    watch.start();
    await eventually(() => Promise.resolve(expect(looks).toBeGreaterThan(outcomes.length)));
    watch.stop();
    expect(reported).toEqual([
      [5, false],
      [7, true],
    ]);
  });
});
