import { parseArgs } from 'node:util';

/** What a run of the matrix does. */
export interface BrownOutOptions {
  /** How long each fault lasts. */
  readonly seconds: number;
  /** Which cells to run: those whose name holds one of these texts. */
  readonly only: readonly string[];
  /** Where to write the results as data. */
  readonly json: string | undefined;
}

/** Reads the command line: --seconds=60 --only="finance;half-open" --json=file. */
export function parseBrownOutOptions(args: string[]): BrownOutOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { seconds: text, only: text, json: text } });
  const seconds = Number(values.seconds ?? '60');
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600)
    throw new Error('--seconds is a whole number from 1');
  return { seconds, only: values.only?.split(';').map((one) => one.trim()) ?? [''], json: values.json };
}
