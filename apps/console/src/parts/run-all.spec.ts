import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../api/refusal';
import { runAll, type Outcome } from './run-all';

describe('a change of many things', () => {
  it('when several end at the same moment, then each is counted, done or refused', async () => {
    let last: Outcome | undefined;
    await runAll([1, 2, 3, 4, 5, 6, 7, 8], {
      nameOf: String,
      run: (row) => (row % 4 === 0 ? Promise.reject(new Refusal('CONFLICT', 'no')) : Promise.resolve()),
      report: (outcome) => (last = outcome),
    });
    expect(last).toEqual({
      all: 8,
      done: 6,
      refusals: [
        ['4', 'no'],
        ['8', 'no'],
      ],
    });
  });
});
