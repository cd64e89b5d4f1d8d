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

describe('the commands within the text of a page', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: object;
  };
  const spans = pages.flatMap(({ source, text }) =>
    [...text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => ({
      source,
      span,
    })),
  );
  /** The program of an app is built from one of these. */
  const isThere = (file: string): boolean => {
    const [, app, name] = /^dist\/apps\/([\w-]+)\/([\w-]+)\.js$/.exec(file) ?? [];
    const sources = app ? [`apps/${app}/src/commands/${name}.ts`, `apps/${app}/src/${name}.ts`] : [file];
    return sources.some((each) => existsSync(path.join(ROOT, each)));
  };
  const namedBy = (pattern: RegExp) =>
    spans.flatMap(({ source, span }) =>
      [...span.matchAll(pattern)].map(([, name = '']) => ({ source, name })),
    );

  it('when they run a script of npm, then package.json has it', () => {
    const named = namedBy(/\bnpm run (?:--silent )?([\w:-]+)/g);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  });

  it('when they run a program of the repository, then it is there', () => {
    const named = namedBy(/\bnode ((?:dist|libs|apps|deploy)\/[\w./-]+)(?![\w./-]*<)/g);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
  });
});
