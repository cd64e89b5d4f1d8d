import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SAMPLE_RUNS, type SampleChoice } from './docs-sample-runs';

const ROOT = path.resolve(__dirname, '../../..');
const FENCE = /^([ \t]*)(`{3,})([\w-]*)[^\n]*\n([\s\S]*?)^\1\2[ \t]*$/gm;

/** A fenced block of a page of the documentation. */
export interface Sample {
  /** The page's file, from the top of the repository. */
  readonly page: string;
  readonly line: number;
  /** The heading above it; empty before the first one below the title. */
  readonly section: string;
  /** `text` is what a program prints, or a drawing; empty where the page names none. */
  readonly language: string;
  readonly code: string;
}

/** The samples in the text of a page, in their order. */
export function samplesIn(page: string, text: string): Sample[] {
  return [...text.matchAll(FENCE)].map(({ index, 1: indent = '', 3: language = '', 4: code = '' }) => {
    const before = text.slice(0, index);
    const [, section = ''] = before.match(/(?:^|[\s\S]*\n)#{2,6} (.+)\n/) ?? [];
    const line = before.split('\n').length;
    return { page, line, section, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

/** Whether a line of the table means this sample. */
export const isChosen = ({ page, languages, section }: SampleChoice, sample: Sample): boolean =>
  page === sample.page &&
  (languages?.includes(sample.language) ?? true) &&
  (section === undefined || section === sample.section);

/** The samples that a test file runs by the table, in the order of the table; call it with `__filename`. */
export function samplesFor(specFile: string): Sample[] {
  const choices = SAMPLE_RUNS[path.relative(ROOT, specFile).replaceAll(path.sep, '/')];
  if (!choices) throw new Error(`libs/testing/src/docs-sample-runs.ts has no line for ${specFile}`);
  return choices.flatMap((choice) => {
    const text = readFileSync(path.join(ROOT, choice.page), 'utf8');
    const found = samplesIn(choice.page, text).filter((sample) => isChosen(choice, sample));
    if (found.length === 0)
      throw new Error(`${choice.page} has no sample that the table names: ${JSON.stringify(choice)}`);
    return found;
  });
}
