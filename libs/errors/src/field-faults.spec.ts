import { describe, expect, it } from '@jest/globals';
import { validationFailed } from './app-error';
import { listFaults, MOST_FAULTS } from './field-faults';

const faults = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `lines.${index}`, message: 'is required' }));

describe('the faults that an error lists (spec §14.1)', () => {
  it('when there are fifty, then all are listed; one more is counted in an entry of its own', () => {
    expect(listFaults(faults(MOST_FAULTS))).toHaveLength(MOST_FAULTS);
    const listed = listFaults(faults(MOST_FAULTS + 1));
    expect(listed.slice(0, MOST_FAULTS)).toEqual(faults(MOST_FAULTS));
    expect(listed.slice(MOST_FAULTS)).toEqual([
      { path: '', message: '1 more fault is left out; correct these first' },
    ]);
  });

  it('when more were counted than made, then the entry and the sentence count them too', () => {
    const error = validationFailed(faults(60), 140);
    expect(error.message).toContain('200 fields');
    expect(error.details['errors']).toHaveLength(MOST_FAULTS + 1);
    expect(error.details['errors']).toContainEqual({
      path: '',
      message: '150 more faults are left out; correct these first',
    });
  });

  it('when a path is longer than 200 characters, then it is cut there, between characters', () => {
    const shown = (path: string) => listFaults([{ path, message: 'm' }])[0]?.path;
    expect(shown('k'.repeat(200))).toBe('k'.repeat(200));
    expect(shown('k'.repeat(201))).toBe(`${'k'.repeat(199)}…`);
    expect(shown(`${'k'.repeat(198)}😀😀`)).toBe(`${'k'.repeat(198)}…`);
  });

  it('when their paths take more than their characters, then fewer are listed, and the count stays true', () => {
    const long = Array.from({ length: 50 }, (_, index) => ({
      path: `${index}${'\u0001'.repeat(190)}`,
      message: 'm',
    }));
    const listed = listFaults(long, 7);
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(25 * 1024);
    expect(listed.at(-1)?.message).toBe(
      `${50 - (listed.length - 1) + 7} more faults are left out; correct these first`,
    );
  });
});
