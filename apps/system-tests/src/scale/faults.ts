import { setTimeout as pause } from 'node:timers/promises';
import { allInstances, instanceOf, signalInstance, untilReplaced } from '../platform/instances';
import type { Random } from '../storm/random';

/** What stands beside the services and can be away for a while. */
export interface Dependency {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** What befell the platform, for the report. */
export type FaultCounts = Record<string, number>;

const count = (counts: FaultCounts, fault: string): void => {
  counts[fault] = (counts[fault] ?? 0) + 1;
};

/** Kills and stops instances of every service, and the dependencies, one after another, until it is over; `isOver` hears how many there were. */
export async function befallInstances(
  random: Random,
  dependencies: readonly Dependency[],
  isOver: (struck: number) => boolean,
): Promise<FaultCounts> {
  const counts: FaultCounts = {};
  // Each instance once and each dependency, in an order of the seed's, and again; so that none is spared. A short run
  // comes to the dependencies as well.
  const targets = (): (string | Dependency)[] => {
    const [first, ...rest] = random.shuffle(allInstances().map(({ name }) => name));
    return [...(first ? [first] : []), ...dependencies, ...rest];
  };
  let queue = targets();
  for (let struck = 0; !isOver(struck); struck += 1) {
    await pause(random.between(300, 1_200));
    if (isOver(struck)) break;
    if (queue.length === 0) queue = targets();
    const target = queue.shift()!;
    if (typeof target !== 'string') await take(target, random, counts);
    else if (random.chance(0.7)) await kill(target, counts);
    else await hold(target, random.pick([700, 2_500]), counts);
  }
  return counts;
}

async function kill(name: string, counts: FaultCounts): Promise<void> {
  const { pid } = instanceOf(name);
  signalInstance(name, 'SIGKILL');
  count(counts, 'SIGKILL');
  await untilReplaced(name, pid);
}

async function hold(name: string, forMs: number, counts: FaultCounts): Promise<void> {
  const { pid } = instanceOf(name);
  signalInstance(name, 'SIGSTOP');
  count(counts, 'SIGSTOP');
  await pause(forMs);
  if (instanceOf(name).pid === pid) signalInstance(name, 'SIGCONT');
}

async function take(dependency: Dependency, random: Random, counts: FaultCounts): Promise<void> {
  await dependency.kill();
  count(counts, `${dependency.name} away`);
  await pause(random.between(500, 2_000));
  await dependency.start();
}
