import { describe, expect, it } from '@jest/globals';
import { chooseFreePorts } from './ports';

describe('free ports', () => {
  it('when many are chosen before anything listens on the first, then none is chosen twice', async () => {
    const chosen = await Promise.all(Array.from({ length: 10 }, () => chooseFreePorts(60)));
    const ports = chosen.flat();
    expect(ports).toHaveLength(600);
    expect(new Set(ports).size).toBe(600);
  });
});
