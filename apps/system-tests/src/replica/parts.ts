import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { until } from '../until';
import type { Cluster } from '../failover/cluster';
import { successor } from '../failover/faults';
import { countsBetween, readCounts } from './read-counts';

/** What befalls the cluster; resolves when that is over. */
export interface Part {
  readonly what: string;
  /** Whether reads have to go to the primary meanwhile. */
  readonly isLeft: boolean;
  /** How old what is read may be, where it is not the services' default. */
  readonly acceptedMs?: number;
  /** Whether there is no primary for a time, so that reads may fail. */
  readonly isWithoutPrimary?: boolean;
  strike(cluster: Cluster, lastsMs: number): Promise<void>;
}

/** Has it last, and puts it right. */
async function last(lastsMs: number, mend: () => Promise<void> | void): Promise<void> {
  await pause(lastsMs);
  await mend();
}

/** What the standby goes through. */
export const PARTS = {
  follows: {
    what: 'the standby follows',
    isLeft: false,
    strike: (_, lastsMs) => pause(lastsMs),
  },
  behind: {
    what: 'the standby follows two seconds behind, which is less than the five that are accepted',
    isLeft: false,
    acceptedMs: 5_000,
    strike: async (cluster, lastsMs) => last(lastsMs, await cluster.lag()),
  },
  slow: {
    what: 'the standby follows two seconds behind, which is more than the two that are accepted',
    isLeft: true,
    strike: async (cluster, lastsMs) => last(lastsMs, await cluster.lag()),
  },
  cut: {
    what: 'the standby does not reach the primary',
    isLeft: true,
    strike: async (cluster, lastsMs) => last(lastsMs, await cluster.cut()),
  },
  kill: {
    what: 'the standby loses its power',
    isLeft: true,
    strike: async (cluster, lastsMs) => {
      const standby = await cluster.standby();
      await cluster.kill(standby);
      await last(lastsMs, () => cluster.revive(standby));
    },
  },
  freeze: {
    what: 'the standby hangs',
    isLeft: true,
    strike: async (cluster, lastsMs) => last(lastsMs, cluster.freeze(await cluster.standby())),
  },
  failover: {
    what: 'the primary loses its power, and the standby is promoted',
    isLeft: true,
    isWithoutPrimary: true,
    strike: async (cluster, lastsMs) => {
      const primary = await cluster.primary();
      await cluster.kill(primary);
      await successor(cluster, primary);
      await last(lastsMs, () => cluster.revive(primary));
    },
  },
} as const satisfies Record<string, Part>;

/** The name of a part. */
export type PartName = keyof typeof PARTS;

/** Resolves once reads go to the standby again; rejects where they do not. */
export async function taken(): Promise<void> {
  const before = await readCounts();
  await until('reads go to the standby', async () => countsBetween(before, await readCounts()).replica > 20);
}

/** Says where reads went, and returns what is not as it must be: a standby that is left when it should not be, or the reverse. */
export function judgeCounts(
  { isLeft }: Part,
  { replica, stale, failed }: Awaited<ReturnType<typeof readCounts>>,
): string[] {
  say(
    `  reads that may be older: ${replica} by the standby; by the primary ${stale} because it was too old or did not respond, ` +
      `${failed} because they failed there`,
  );
  if (isLeft) return stale === 0 ? ['no read was made by the primary'] : [];
  return stale + failed > replica / 10
    ? [`${stale + failed} reads of ${replica} did not go to the standby`]
    : [];
}
