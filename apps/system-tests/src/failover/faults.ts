import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until';
import type { Cluster } from './cluster';

/** When a primary took writes after the fault, on the clock of this machine, and what puts the fault right. */
interface Struck {
  readonly acceptedAt: number;
  readonly mend: () => Promise<void>;
}

interface Fault {
  readonly what: string;
  /** Whether acknowledged orders may be lost by it. */
  readonly mayLose: boolean;
  strike(cluster: Cluster): Promise<Struck>;
}

/** Resolves once another node than the one of before takes writes. */
export async function successor(cluster: Cluster, before: string): Promise<number> {
  await until(
    'the standby took over',
    async () => {
      const now = await cluster.accepting();
      return now !== undefined && now !== before;
    },
    90_000,
  );
  return Date.now();
}

async function killPrimary(cluster: Cluster): Promise<Struck> {
  const primary = await cluster.primary();
  await cluster.kill(primary);
  const mend = async (): Promise<void> => cluster.revive(primary);
  return { acceptedAt: await successor(cluster, primary), mend };
}

/** What befalls the primary. */
export const FAULTS = {
  kill: { what: 'the primary loses its power', mayLose: false, strike: killPrimary },
  freeze: {
    what: 'the primary hangs, and wakes up when another one has taken over',
    mayLose: false,
    strike: async (cluster) => {
      const primary = await cluster.primary();
      const thaw = cluster.freeze(primary);
      return { acceptedAt: await successor(cluster, primary), mend: async () => thaw() };
    },
  },
  cut: {
    what: 'the primary and its standby do not reach each other',
    mayLose: false,
    strike: async (cluster) => {
      const join = await cluster.cut();
      // Commits wait for the standby until Patroni lets the primary go on alone.
      return { acceptedAt: Date.now(), mend: join };
    },
  },
  switchover: {
    what: 'the two change places on purpose',
    mayLose: false,
    strike: async (cluster) => {
      const primary = await cluster.primary();
      await cluster.switchOver();
      return { acceptedAt: await successor(cluster, primary), mend: () => Promise.resolve() };
    },
  },
  asynchronous: {
    what: 'the primary loses its power, and its standby followed two seconds behind, waited for by nobody',
    mayLose: true,
    strike: async (cluster) => {
      await cluster.lag();
      await pause(5_000);
      // What is on its way goes down with it.
      const join = await cluster.cut();
      const { acceptedAt, mend } = await killPrimary(cluster);
      return { acceptedAt, mend: () => join().then(mend) };
    },
  },
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS;
