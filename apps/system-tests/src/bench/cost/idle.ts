import { setTimeout as pause } from 'node:timers/promises';
import type { LoadResult } from '../http-load';
import type { Cost } from './cost-subject';
import type { Counted, RowChanges } from './database-counters';

/** An operation that does nothing: what is measured of it is what a platform costs by itself. */
export async function doNothing(seconds: number): Promise<LoadResult> {
  await pause(seconds * 1_000);
  return { count: 0, seconds, failures: 0, p99: 0 };
}

/** What was measured of doing nothing, as if each second were an operation. */
export function perSecond(cost: Cost): Cost {
  return {
    ...cost,
    count: cost.measuredMs / 1_000,
    countedOperations: cost.countedMs / 1_000,
    loggedOperations: cost.loggedMs / 1_000,
  };
}

/**
 * The cost without what the platform would have cost in the same time by itself, so that a slow machine adds nothing to it.
 * The log's bytes stay: an idle platform writes next to none, but a clean-up that happens to come while it is idle many.
 */
export function withoutIdle(cost: Cost, idle: Cost): Cost {
  const measured = cost.measuredMs / idle.measuredMs;
  const logged = cost.loggedMs / idle.loggedMs;
  return {
    ...cost,
    cpuMs: less(cost.cpuMs, idle.cpuMs, measured),
    counted:
      cost.counted &&
      idle.counted &&
      lessCounted(cost.counted, idle.counted, cost.countedMs / idle.countedMs),
    statements: less(cost.statements, idle.statements, logged),
  };
}

const less = (
  from: ReadonlyMap<string, number>,
  idle: ReadonlyMap<string, number>,
  times: number,
): Map<string, number> =>
  new Map([...from].map(([name, value]) => [name, value - (idle.get(name) ?? 0) * times]));

function lessCounted(from: Counted, idle: Counted, times: number): Counted {
  const changes = new Map<string, RowChanges>();
  for (const [name, row] of from.changes) {
    const of = idle.changes.get(name);
    changes.set(name, {
      inserted: row.inserted - (of?.inserted ?? 0) * times,
      updated: row.updated - (of?.updated ?? 0) * times,
      hot: row.hot - (of?.hot ?? 0) * times,
      deleted: row.deleted - (of?.deleted ?? 0) * times,
    });
  }
  return { walBytes: from.walBytes, commits: less(from.commits, idle.commits, times), changes };
}
