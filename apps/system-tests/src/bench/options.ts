import { parseArgs } from 'node:util';
import { COST_GROUPS } from './cost/cost-operations';

/** How long and what to measure. */
export interface BenchOptions {
  /** Length of one round of one measurement. */
  readonly seconds: number;
  /** Rounds of each measurement, its yardstick in turn with it. */
  readonly rounds: number;
  /** Minutes of load before memory is read the second time; 0 leaves memory out. */
  readonly minutes: number;
  /** Orders of the long history whose lists are read, 10,000 or more; 0 leaves lists out. */
  readonly orders: number;
  /** Ledger lines of the month whose statement is made; 0 leaves it out. */
  readonly lines: number;
  /** Another clone, built, whose costs are measured in turn with this one's; for groups of costs. */
  readonly against: string | undefined;
  /** Measures only this one of the groups; all of them when absent. */
  readonly only: string | undefined;
  /** Measures also against what is installed from npm for it. */
  readonly installs: boolean;
  readonly isRecorded: boolean;
}

const GROUPS = [
  ...COST_GROUPS,
  ...['idle', 'polls', 'saga', 'balance', 'topup', 'cart', 'catalog', 'lists', 'webhooks', 'statement'],
  ...['memory', 'backlog'],
];

const DEFAULTS = { seconds: '10', rounds: '3', minutes: '10', orders: '10000000', lines: '1500000' };

/** Reads the command line; a flag that cannot be used is an error that names it. */
export function parseOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: DEFAULTS.seconds },
      rounds: { type: 'string' },
      minutes: { type: 'string', default: DEFAULTS.minutes },
      orders: { type: 'string', default: DEFAULTS.orders },
      lines: { type: 'string', default: DEFAULTS.lines },
      only: { type: 'string' },
      against: { type: 'string' },
      install: { type: 'boolean', default: false },
      'no-history': { type: 'boolean', default: false },
    },
  });
  if (values.only !== undefined && !GROUPS.includes(values.only))
    throw new Error(`--only must be one of ${GROUPS.join(', ')}, not ${values.only}`);
  return {
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds ?? usualRounds(values.only, values.against)),
    minutes: values.minutes === '0' ? 0 : positive('minutes', values.minutes),
    orders: values.orders === '0' ? 0 : positive('orders', values.orders),
    lines: values.lines === '0' ? 0 : positive('lines', values.lines),
    only: values.only,
    against: values.against,
    installs: values.install,
    isRecorded: !values['no-history'],
  };
}

/** Costs wander less than rates, so that one round says enough, and two where builds take turns. */
function usualRounds(only: string | undefined, against: string | undefined): string {
  if (!only?.endsWith('-cost')) return DEFAULTS.rounds;
  return against === undefined ? '1' : '2';
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1)
    throw new Error(`--${name} must be a whole number from 1, not ${text}`);
  return value;
}
