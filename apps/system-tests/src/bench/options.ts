import { parseArgs } from 'node:util';

/** How long and what to measure. */
export interface BenchOptions {
  /** Length of one round of one measurement. */
  readonly seconds: number;
  /** Rounds of each measurement, its yardstick in turn with it. */
  readonly rounds: number;
  /** Minutes of load before memory is read the second time; 0 leaves memory out. */
  readonly minutes: number;
  /** Orders of the long history whose lists are read; 0 leaves lists out. */
  readonly orders: number;
  /** Ledger lines of the month whose statement is made; 0 leaves it out. */
  readonly lines: number;
  /** Measures only this group: balance, topup, cart, checkout, catalog, lists, webhooks, statement, memory or backlog; all of them when absent. */
  readonly only: string | undefined;
  readonly isRecorded: boolean;
  /** Prints the script that pgbench runs. */
  readonly showsScript: boolean;
}

const DEFAULTS = { seconds: '10', rounds: '3', minutes: '10', orders: '1000000', lines: '1500000' };

/** Reads the command line; a flag that cannot be used is an error that names it. */
export function parseOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: DEFAULTS.seconds },
      rounds: { type: 'string', default: DEFAULTS.rounds },
      minutes: { type: 'string', default: DEFAULTS.minutes },
      orders: { type: 'string', default: DEFAULTS.orders },
      lines: { type: 'string', default: DEFAULTS.lines },
      only: { type: 'string' },
      'no-history': { type: 'boolean', default: false },
      'show-script': { type: 'boolean', default: false },
    },
  });
  return {
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    minutes: values.minutes === '0' ? 0 : positive('minutes', values.minutes),
    orders: values.orders === '0' ? 0 : positive('orders', values.orders),
    lines: values.lines === '0' ? 0 : positive('lines', values.lines),
    only: values.only,
    isRecorded: !values['no-history'],
    showsScript: values['show-script'],
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1)
    throw new Error(`--${name} must be a whole number from 1, not ${text}`);
  return value;
}
