import { describe, expect, it } from '@jest/globals';
import { MemoryDeduper } from './deduper';

const nothing = async (): Promise<void> => undefined;

describe('MemoryDeduper', () => {
  it('when an event comes again, also at the same time, then its effect ran once', async () => {
    const deduper = new MemoryDeduper();
    let finish: () => void = () => undefined;
    let runs = 0;
    const effect = (): Promise<void> => {
      runs += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const both = [deduper.once('a', effect), deduper.once('a', effect)];
    finish();
    expect(await Promise.all(both)).toEqual([true, false]);
    expect(await deduper.once('a', effect)).toBe(false);
    expect(runs).toBe(1);
  });

  it('when the effect failed, then those that waited fail too, and the event may come again', async () => {
    const deduper = new MemoryDeduper();
    const failing = (): Promise<void> => Promise.reject(new Error('not now'));
    const both = await Promise.allSettled([deduper.once('a', failing), deduper.once('a', nothing)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const throwing = (): Promise<void> => {
      throw new Error('at once');
    };
    await expect(deduper.once('a', throwing)).rejects.toThrow('at once');
    expect(await deduper.once('a', nothing)).toBe(true);
  });

  it('when it is full, then it forgets what was not seen for longest', async () => {
    const deduper = new MemoryDeduper(2);
    const ran = async (id: string): Promise<boolean> => deduper.once(id, nothing);
    await ran('a');
    await ran('b');
    await ran('a');
    await ran('c');
    expect(await ran('a')).toBe(false);
    expect(await ran('c')).toBe(false);
    expect(await ran('b')).toBe(true);
  });
});
