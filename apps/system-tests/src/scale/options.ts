import { parseArgs } from 'node:util';

/** What a run over several instances does. */
export interface ScaleOptions {
  /** `kills`: instances die and stand still at random. `rolling`: each is stopped, one after the other. Or both. */
  readonly mode: Mode;
  readonly instances: number;
  /** How long instances are killed; a rolling restart takes as long as it takes. */
  readonly seconds: number;
  /** How many faults there are at least, however long they take on a busy machine: first an instance, then each dependency, then others. */
  readonly leastFaults: number;
  readonly seed: number;
  /** How many of the partners' programs call at once. */
  readonly workers: number;
  /** How long a program pauses between two of its calls, from and to. */
  readonly pauseMs: PauseMs;
  readonly bus: 'postgres' | 'kafka';
  /** Whether storms against their model run while instances are killed; they take their time. */
  readonly hasStorms: boolean;
  /** Which instances a rolling restart takes. */
  readonly restarted: 'every' | 'last of each';
  /** Whether the machine is quiet enough for a response to be missed because of what is tried here, and not for want of time. */
  readonly isTimed: boolean;
  /** Whether services reach PostgreSQL through a PgBouncer, which is killed, stopped and reloaded as well. */
  readonly isPooled: boolean;
}

/** In the drills; their short forms in the tests have fewer. */
export const WORKERS = 6;

/** From and to. */
export type PauseMs = readonly [number, number];

/** In the drills; in a machine's tests others are at work beside, and each call takes of their time. */
export const PAUSE_MS: PauseMs = [5, 60];

const MODES = ['kills', 'rolling', 'both'] as const;
type Mode = (typeof MODES)[number];

/** Reads the command line: --mode=kills|rolling|both --instances=2 --seconds=60 --seed=1 --bus=postgres|kafka --pooled. */
export function parseScaleOptions(args: string[]): ScaleOptions {
  const text = { type: 'string' } as const;
  const options = {
    ...{ mode: text, instances: text, seconds: text, seed: text, bus: text },
    pooled: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const { mode = 'kills', bus = 'kafka' } = values;
  const known = MODES.find((one) => one === mode);
  if (!known) throw new Error(`--mode is one of ${MODES.join(', ')}`);
  if (bus !== 'postgres' && bus !== 'kafka') throw new Error('--bus is postgres or kafka');
  return {
    mode: known,
    bus,
    hasStorms: true,
    workers: WORKERS,
    pauseMs: PAUSE_MS,
    restarted: 'every',
    isTimed: true,
    leastFaults: 0,
    isPooled: values.pooled,
    instances: whole('instances', values.instances ?? '2'),
    seconds: whole('seconds', values.seconds ?? '60'),
    seed: whole('seed', values.seed ?? String(Date.now() % 1_000_000_000)),
  };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1`);
  return number;
}
