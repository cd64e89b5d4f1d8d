import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isChosen, SAMPLE_RUNS, samplesIn } from '@reseller/testing';
import { readEdition, ROOT } from '../src/edition.mjs';

const { pages } = readEdition('whole') as { pages: { source: string; text: string }[] };
const fences = pages.flatMap(({ source, text }) => samplesIn(source, text));
// What a program prints belongs to the program above it, and a drawing is none.
const samples = fences.filter(({ language }) => language !== 'text');
const choices = Object.values(SAMPLE_RUNS).flat();
const placeOf = ({ page, line }: (typeof fences)[number]): string => `${page}:${line}`;

describe('the code samples of the documentation', () => {
  it('when a page has one, then a test runs it (libs/testing/src/docs-sample-runs.ts)', () => {
    const idle = samples.filter((sample) => !choices.some((choice) => isChosen(choice, sample)));
    expect(idle.map(placeOf)).toEqual([]);
    expect(samples.length).toBeGreaterThan(150);
  });

  it.each(Object.keys(SAMPLE_RUNS))(
    'when the table names %s, then it is there and takes its samples from the table',
    (spec) => {
      const file = path.join(ROOT, spec);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('samplesFor(__filename)');
    },
  );

  it('when the table names samples, then there are such', () => {
    const lost = choices.filter((choice) => !fences.some((sample) => isChosen(choice, sample)));
    expect(lost).toEqual([]);
  });

  it('when a page opens a block, then it is read as one', () => {
    const lost = pages.filter(
      ({ source, text }) =>
        (text.match(/^\s*(```|~~~)/gm) ?? []).length !== 2 * samplesIn(source, text).length,
    );
    expect(lost.map(({ source }) => source)).toEqual([]);
  });

  it('when a page shows a block, then it says its language, and no command passes as plain text', () => {
    const command = /^\s*(\$ |[A-Z_]+=\S* )?(npm|npx|node|curl|kubectl|docker|psql|reseller) /m;
    const wrong = fences.filter(
      ({ language, code }) => language === '' || (language === 'text' && command.test(code)),
    );
    expect(wrong.map(placeOf)).toEqual([]);
  });
});
