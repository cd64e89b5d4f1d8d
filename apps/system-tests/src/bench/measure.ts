import type { LoadResult } from './http-load';
import type { BenchRow } from './report';

/** Says to the person at the console what goes on. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What rounds of a measurement found together, and of its yardstick where there is one. */
export interface Compared {
  readonly measured: number;
  readonly yardstick: number | null;
  readonly failures: number;
  readonly p99: number;
}

/** Runs a measurement and its yardstick in turn, so that a machine that slows down slows both. */
export async function inTurn(
  rounds: number,
  measure: () => Promise<LoadResult>,
  yardstick?: () => Promise<LoadResult>,
): Promise<Compared> {
  const [own, other]: [LoadResult[], LoadResult[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await measure());
    if (yardstick) other.push(await yardstick());
  }
  const failed = other.reduce((sum, each) => sum + each.failures, 0);
  // A yardstick that does not do its work would be too easy or too hard: it must not pass unnoticed.
  if (failed > 0) throw new Error(`${failed} requests to the yardstick failed`);
  return {
    measured: rate(own),
    yardstick: yardstick ? rate(other) : null,
    failures: own.reduce((sum, each) => sum + each.failures, 0),
    p99: Math.max(...own.map((each) => each.p99)),
  };
}

const rate = (results: readonly LoadResult[]): number =>
  results.reduce((sum, each) => sum + each.count, 0) / results.reduce((sum, each) => sum + each.seconds, 0);

/** A row that is held to a share of its yardstick, to a rate, or to both. */
export function toRow(row: {
  work: string;
  unit: string;
  least?: number;
  atLeast?: number;
  result: Compared;
  yardstickName?: string;
}): BenchRow {
  const { least, atLeast, result, unit } = row;
  const ratio = result.yardstick === null ? null : result.measured / result.yardstick;
  const targets = [
    ...(least === undefined ? [] : [`≥ ${least} of ${row.yardstickName}`]),
    ...(atLeast === undefined ? [] : [`≥ ${atLeast} ${unit}`]),
  ];
  const isRatioReached = least === undefined || ratio === null || ratio >= least;
  return {
    work: row.work,
    target: targets.join(', ') || '–',
    measured: result.measured,
    unit,
    yardstick: result.yardstick,
    ratio,
    isReached: isRatioReached && result.measured >= (atLeast ?? 0) && result.failures === 0,
    note: `p99 ${Math.round(result.p99)} ms${result.failures > 0 ? `, ${result.failures} failed` : ''}`,
  };
}
