import type { LoadResult } from './http-load';
import type { BenchRow } from './report';

/** Tells the person at the console what goes on. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs a measurement and its yardstick in turn, so that a machine that slows down slows both. */
export async function inTurn(
  rounds: number,
  measure: () => Promise<LoadResult>,
  yardstick: (() => Promise<{ count: number; seconds: number }>) | undefined,
): Promise<{
  measured: number;
  yardstick: number | null;
  yardstickCount: number;
  failures: number;
  p99: number;
}> {
  const [own, other]: [LoadResult[], { count: number; seconds: number }[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await measure());
    if (yardstick) other.push(await yardstick());
  }
  return {
    measured: rate(own),
    yardstick: yardstick ? rate(other) : null,
    yardstickCount: other.reduce((sum, each) => sum + each.count, 0),
    failures: own.reduce((sum, each) => sum + each.failures, 0),
    p99: Math.max(...own.map((each) => each.p99)),
  };
}

const rate = (results: readonly { count: number; seconds: number }[]): number =>
  results.reduce((sum, each) => sum + each.count, 0) / results.reduce((sum, each) => sum + each.seconds, 0);

/** A row that is held to its yardstick, and to a floor where there is one. */
export function toRow(
  work: string,
  unit: string,
  least: number,
  floor: number,
  result: { measured: number; yardstick: number | null; failures: number; p99: number },
  yardstickName: string,
): BenchRow {
  const ratio = result.yardstick === null ? null : result.measured / result.yardstick;
  return {
    work,
    target: `≥ ${least} of ${yardstickName}${floor > 0 ? `, ≥ ${floor} ${unit}` : ''}`,
    measured: result.measured,
    unit,
    yardstick: result.yardstick,
    ratio,
    isReached: ratio !== null && ratio >= least && result.measured >= floor && result.failures === 0,
    note: `p99 ${Math.round(result.p99)} ms${result.failures > 0 ? `, ${result.failures} failed` : ''}`,
  };
}
