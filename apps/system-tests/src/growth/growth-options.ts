import path from 'node:path';
import { parseArgs } from 'node:util';
import { numberOption, wholeNumber } from './whole-numbers';

/** How large the platform becomes, and how it is measured. */
export interface GrowthOptions {
  readonly orders: number;
  readonly partners: number;
  readonly days: number;
  /** How often each read is timed. */
  readonly times: number;
  /** How long creates are measured on each platform. */
  readonly seconds: number;
  /** Where the large platform keeps its data from run to run; it is removed at the end when absent. */
  readonly kept?: string | undefined;
}

/** Reads the command line: --orders=10000000 --partners=20 --days=1095 --times=60 --seconds=20 --kept=.local/growth. */
export function parseGrowthOptions(args: string[]): GrowthOptions {
  const { values } = parseArgs({
    args,
    options: {
      orders: numberOption(1_000_000),
      partners: numberOption(20),
      days: numberOption(1_095),
      times: numberOption(60),
      seconds: numberOption(20),
      kept: { type: 'string' },
    },
  });
  return {
    orders: wholeNumber(values, 'orders'),
    partners: wholeNumber(values, 'partners'),
    days: wholeNumber(values, 'days'),
    times: wholeNumber(values, 'times'),
    seconds: wholeNumber(values, 'seconds'),
    kept: values.kept === undefined ? undefined : path.resolve(values.kept),
  };
}
