import { existsSync, readFileSync } from 'node:fs';
import { cpuOf, cpuOfChildren, cpuOfEndedChildren, TICK_MS } from '../bench/cost/process-cpu';
import { readPlatformFile } from '../platform/platform-file';

/** Who uses a machine's CPU during the drill; `elsewhere` is what no part of it has used. */
export const CPU_USERS = ['sender', 'gateway', 'services', 'PostgreSQL', 'elsewhere'] as const;

/** Cores that each has kept busy; none where there is no /proc. */
export type CpuUse = Readonly<Partial<Record<(typeof CPU_USERS)[number], number>>>;

/** Begins to count; what it returns says what was used since. */
export function countCpu(platformFile: string, sender: number): () => CpuUse {
  const before = readCpu(platformFile, sender);
  const startedAt = performance.now();
  return () => {
    const after = readCpu(platformFile, sender);
    const tookMs = performance.now() - startedAt;
    return Object.fromEntries(
      Object.entries(after).map(([user, ms]) => [user, (ms - (before[user] ?? 0)) / tookMs]),
    );
  };
}

/** CPU milliseconds so far. */
function readCpu(platformFile: string, sender: number): Record<string, number> {
  if (!existsSync('/proc/stat')) return {};
  const { gateway = 0, postgres = 0, ...services } = readPlatformFile(platformFile).pids;
  const sum = (all: Iterable<number>): number => [...all].reduce((total, ms) => total + ms, 0);
  const used = {
    sender: cpuOf(sender),
    gateway: cpuOf(gateway),
    services: sum(Object.values(services).map(cpuOf)),
    PostgreSQL: cpuOf(postgres) + cpuOfEndedChildren(postgres) + sum(cpuOfChildren(postgres).values()),
  };
  return { ...used, elsewhere: busyOfMachine() - sum(Object.values(used)) };
}

/** CPU milliseconds that the machine was not idle, what its host took from it included. */
function busyOfMachine(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MS;
}
