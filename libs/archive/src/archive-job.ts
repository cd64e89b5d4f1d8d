import { exclusively, type SessionPool } from '@reseller/database';
import { createJob, type Job } from '@reseller/service-kit';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { archiveMetrics } from './archive-metrics';
import { archivePart, type ArchivePartDeps } from './archive-part';
import type { ArchiveSource } from './archived-table';

/** What the job works with; `sessions` holds the lock by which one instance archives at a time. */
interface ArchiveJobDeps extends ArchivePartDeps {
  readonly sessions: SessionPool;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics?: Registry | undefined;
}

const EVERY_MS = 600_000;

/** Archives what has had its time, part by part, every ten minutes; until a part is archived its rows stay. */
export function createArchiveJob(sources: readonly ArchiveSource[], deps: ArchiveJobDeps): Job {
  const { log, metrics } = deps;
  const run = (signal: AbortSignal): Promise<boolean> => archiveNext(sources, deps, signal);
  return createJob({ name: 'archive', intervalMs: EVERY_MS, run, log, metrics });
}

/**
 * Archives the next part of each source, unless another instance does; returns whether there was one. A source that fails holds up no
 * other one.
 */
export async function archiveNext(
  sources: readonly ArchiveSource[],
  deps: ArchiveJobDeps,
  stop?: AbortSignal,
): Promise<boolean> {
  const { sessions, service, metrics, log } = deps;
  const observed = metrics && archiveMetrics(metrics);
  const archived = await exclusively(sessions, `archive ${service}`, performance.now(), async (_, held) => {
    const signal = stop ? AbortSignal.any([stop, held]) : held;
    const failures: unknown[] = [];
    let parts = 0;
    for (const { table, next } of sources) {
      if (signal.aborted) break;
      try {
        const part = await next();
        observed?.behind.set({ table }, part ? 1 : 0);
        if (!part) continue;
        const { object, rows, bytes } = await archivePart(part, deps, signal);
        observed?.rows.inc({ table }, rows);
        log.info({ object, rows, bytes }, 'rows past their time were archived, and removed here');
        parts += 1;
      } catch (err) {
        failures.push(err);
        // It goes on after the next start, or with whoever has the lock next.
        if (signal.aborted) break;
        log.warn({ err, table }, 'rows past their time could not be archived, and stay');
      }
    }
    if (failures.length > 0) throw failures[0];
    return parts;
  });
  return (archived ?? 0) > 0;
}
