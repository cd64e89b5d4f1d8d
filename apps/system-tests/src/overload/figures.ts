import type { Sample } from './load';
import { percentile } from '../percentile';

/** What a load came to; times in milliseconds. */
export interface Figures {
  readonly offered: number;
  readonly done: number;
  readonly refused: number;
  readonly faults: readonly string[];
  /** Done a second, over the time of the load. */
  readonly goodput: number;
  readonly p50: number;
  readonly p99: number;
  readonly refusalP50: number;
  readonly refusalP99: number;
  readonly lastResponseAfter: number;
}

/** The figures of one sender's requests that were to be sent within so many seconds. */
export function figuresOf(samples: readonly Sample[], seconds: number): Figures {
  const of = (outcome: Sample['outcome']): Sample[] => samples.filter((one) => one.outcome === outcome);
  const [done, refused, faults] = [of('done'), of('refused'), of('fault')];
  return {
    offered: samples.length,
    done: done.length,
    refused: refused.length,
    faults: faults.map(({ what }) => what ?? ''),
    // What gets its response after the load's end was not done in its time.
    goodput: done.filter(({ at, ms }) => at + ms <= seconds * 1_000).length / seconds,
    p50: percentile(latenciesOf(done), 0.5),
    p99: percentile(latenciesOf(done), 0.99),
    refusalP50: percentile(latenciesOf(refused), 0.5),
    refusalP99: percentile(latenciesOf(refused), 0.99),
    lastResponseAfter: Math.max(0, lastEnd(samples) - seconds * 1_000),
  };
}

const WINDOW_MS = 1_000;
const STEP_MS = 100;

/** When responses first came at this rate for a second on end, in milliseconds from the start; undefined if never. */
export function timeUntilRate(samples: readonly Sample[], perSecond: number): number | undefined {
  const done = samples.filter(({ outcome }) => outcome === 'done');
  const times = done.map(({ at, ms }) => at + ms);
  const last = lastEnd(done);
  for (let from = 0; from + WINDOW_MS <= last; from += STEP_MS) {
    const count = times.filter((time) => time >= from && time < from + WINDOW_MS).length;
    if (count >= (perSecond * WINDOW_MS) / 1_000) return from;
  }
  return undefined;
}

const latenciesOf = (samples: readonly Sample[]): number[] => samples.map(({ ms }) => ms);

/** When the last of them ended; there are too many for arguments of one call. */
const lastEnd = (samples: readonly Sample[]): number =>
  samples.reduce((last, { at, ms }) => Math.max(last, at + ms), 0);
