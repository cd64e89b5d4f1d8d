import { createJob, type Job } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { withTransaction } from '../with-transaction';
import { giveWay } from './give-way';
import { batchOf, nextBatch, removalOf, type RetentionRule } from './rule';

/** What a service's retention works with. */
interface RetentionDeps {
  readonly pool: Pool;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly metrics?: Registry | undefined;
}

const EVERY_MS = 60_000;
/** One run; what is left then comes with the next one, which begins at once. */
const RUN_MS = 20_000;

/** Removes what has had its time, by the rules, in small turns: soon after the start, and every minute. */
export function createRetentionJob(rules: readonly RetentionRule[], deps: RetentionDeps): Job {
  const { log, metrics } = deps;
  const run = (signal: AbortSignal): Promise<boolean> => removeExpired(rules, deps, signal);
  return createJob({ name: 'retention', afterStart: true, intervalMs: EVERY_MS, run, log, metrics });
}

/**
 * Gives each rule a turn after the other until none has more to remove, or for 20 s; returns whether any has. A rule that
 * fails holds up no other one.
 */
export async function removeExpired(
  rules: readonly RetentionRule[],
  { pool, log, metrics }: RetentionDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  const observed = metrics && retentionMetrics(metrics);
  const until = performance.now() + RUN_MS;
  const failures: unknown[] = [];
  let busy = rules.map((rule) => ({ rule, batch: batchOf(rule) }));
  while (busy.length > 0 && performance.now() < until && !signal?.aborted) {
    const more: typeof busy = [];
    for (const { rule, batch } of busy) {
      if (signal?.aborted) break;
      const startedAt = performance.now();
      try {
        const gone = await takeTurn(pool, rule, batch);
        const tookMs = performance.now() - startedAt;
        const hasMore = gone >= batch;
        observed?.removed.inc({ table: rule.table }, gone);
        observed?.behind.set({ table: rule.table }, hasMore ? 1 : 0);
        if (hasMore) more.push({ rule, batch: nextBatch(rule, batch, tookMs) });
        if (gone > 0) await giveWay(tookMs, signal);
      } catch (err) {
        failures.push(err);
        log.warn({ err, table: rule.table }, 'old rows could not be removed');
      }
    }
    busy = more;
  }
  if (failures.length > 0) throw failures[0];
  return busy.length > 0;
}

function takeTurn(pool: Pool, rule: RetentionRule, batch: number): Promise<number> {
  return withTransaction(pool, async (tx) => {
    // It gives way to whoever has one of the rows.
    await tx.query(`SET LOCAL lock_timeout = '1s'`);
    const { rows } = await tx.query<{ gone: number }>(removalOf(rule), [rule.keepMs, batch]);
    return rows[0]?.gone ?? 0;
  });
}

function retentionMetrics(registry: Registry): { removed: Counter; behind: Gauge } {
  const known = registry.getSingleMetric('retention_removed_rows_total') as Counter | undefined;
  const labelNames = ['table'];
  const removed =
    known ??
    new Counter({
      name: 'retention_removed_rows_total',
      help: 'Rows past their time that were removed. Sum over instances.',
      labelNames,
      registers: [registry],
    });
  const behind =
    (registry.getSingleMetric('retention_behind') as Gauge | undefined) ??
    new Gauge({
      name: 'retention_behind',
      help: '1 while the last turn of this instance left rows past their time. Instances take turns: take min().',
      labelNames,
      registers: [registry],
    });
  return { removed, behind };
}
