import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { SHORT_TIMES, startCrashPlatform } from '../crash/crash-platform';
import { busOf, withBus, type Bus } from '../kafka/bus';
import type { KafkaCluster } from '../kafka/kafka-cluster';
import { findRoot } from '../platform/start-platform';
import { runScentStorm } from './run-scent-storm';
import { runStorm } from './run-storm';

/** The seeds that are run every time: a few fixed ones, and every one that ever failed. */
interface Seeds {
  readonly everyTime: readonly number[];
  readonly regressions: readonly number[];
}

const seedsFile = (): string => path.join(findRoot(), 'apps/system-tests/src/storm/seeds.json');

/** Reads the committed seeds. */
export const readSeeds = (): Seeds => JSON.parse(readFileSync(seedsFile(), 'utf8')) as Seeds;

/** Which seeds to run, without a choice those of seeds.json, and on which event bus. */
interface StormOptions {
  readonly seeds: readonly number[];
  readonly bus: Bus;
}

/** Reads the command line: --seed=N for one, --runs=N for as many new ones; --bus=kafka for events on Kafka. */
export function parseStormOptions(args: string[]): StormOptions {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string' }, runs: { type: 'string' }, bus: { type: 'string' } },
  });
  return { seeds: seedsOf(values), bus: busOf(values.bus) };
}

function seedsOf({ seed, runs }: { seed?: string; runs?: string }): readonly number[] {
  if (seed !== undefined) return [Number(seed)];
  if (runs === undefined) {
    const { everyTime, regressions } = readSeeds();
    return [...everyTime, ...regressions];
  }
  const first = Date.now() % 1_000_000_000;
  return Array.from({ length: Number(runs) }, (_, at) => first + at);
}

const STORMS = [
  ['top-ups and eSIMs', runStorm],
  ['carts', runScentStorm],
] as const;

/** Runs seeds one after the other on one platform; a seed that fails is kept in seeds.json. Returns whether none did. */
export function runStorms({ seeds, bus }: StormOptions): Promise<boolean> {
  return withBus(bus, (kafka) => runSeeds(seeds, kafka));
}

async function runSeeds(seeds: readonly number[], kafka: KafkaCluster | undefined): Promise<boolean> {
  const platform = await startCrashPlatform({ ...SHORT_TIMES, ...kafka?.environment });
  const failed: number[] = [];
  try {
    const operator = new OperatorClient(platform.description);
    for (const seed of seeds) {
      let found = 0;
      for (const [name, run] of STORMS) {
        const { faults, sends, orders, refused, seconds } = await run(seed, platform, operator);
        say(
          `seed ${seed}, ${name}: ${sends} sends, ${orders} orders, ${refused} refusals, ${seconds.toFixed(1)} s`,
        );
        await kafka?.untilHandled();
        for (const fault of faults) say(`  ${fault}`);
        found += faults.length;
      }
      if (found > 0) failed.push(seed);
    }
  } finally {
    await platform.stop();
  }
  if (failed.length > 0) keep(failed);
  say(`${seeds.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

function keep(failed: readonly number[]): void {
  const { everyTime, regressions } = readSeeds();
  const kept = [...new Set([...regressions, ...failed.filter((seed) => !everyTime.includes(seed))])];
  writeFileSync(seedsFile(), `${JSON.stringify({ everyTime, regressions: kept })}\n`);
  say(`kept in ${seedsFile()}: ${failed.join(', ')}`);
}
