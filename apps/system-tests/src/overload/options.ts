import { parseArgs } from 'node:util';

/** What an overload drill does. */
export interface OverloadOptions {
  /** How long each multiple of the peak is offered. */
  readonly seconds: number;
  /** How long each of the runs that find the peak takes. */
  readonly peakSeconds: number;
  /** What is offered, as multiples of the peak, one after the other. */
  readonly factors: readonly number[];
}

/** Reads the command line: --seconds=60 --peak-seconds=8 --factors=1,2,3. */
export function parseOverloadOptions(args: string[]): OverloadOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { seconds: text, 'peak-seconds': text, factors: text } });
  const factors = (values.factors ?? '1,2,3').split(',').map((factor) => positive('factors', factor));
  return {
    seconds: positive('seconds', values.seconds ?? '60'),
    peakSeconds: positive('peak-seconds', values['peak-seconds'] ?? '8'),
    factors,
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 3_600)) throw new Error(`--${name} takes numbers above 0, not ${text}`);
  return number;
}
