import type { Pool } from 'pg';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { observeBacklogs, type BacklogReading } from '../backlogs';
import { IS_OPEN } from './reconciliation.repository';

/** Reports to the metrics of a service what its reconciler does. */
export interface ReconciliationMetrics {
  ran(check: string, seconds: number): void;
  failed(check: string): void;
}

// From the records and not from this process' last run: another instance may have run the check since.
const OPEN_DIFFERENCES: Omit<BacklogReading, 'values'> = {
  name: 'reconciliation',
  statement: {
    name: 'reconciliation_standing',
    text: `SELECT c.name AS "check",
        (SELECT count(*) FROM reconciliation_differences d WHERE d.check_name = c.name AND ${IS_OPEN}) AS open,
        coalesce((SELECT extract(epoch FROM s.pass_completed_at) FROM reconciliation_checks s WHERE s.name = c.name), 0)
          AS completed
      FROM unnest($1::text[]) AS c (name)`,
  },
  labels: ['check'],
  gauges: [
    {
      name: 'reconciliation_differences',
      help: 'Records that do not agree now and that nobody has accepted as they are, by check. Every instance shows the same: take max().',
      column: 'open',
    },
    {
      name: 'reconciliation_last_complete_timestamp_seconds',
      help: 'When a check last came through all its subjects, in seconds since the epoch; 0 when it never has. Every instance shows the same: take max().',
      column: 'completed',
    },
  ],
};

/** Makes the reconciler's metrics in a registry; what stands open is read from the records whenever it is requested. */
export function reconciliationMetrics(
  registry: Registry,
  { pool, checks, log }: { pool: Pool; checks: readonly string[]; log: Pick<Logger, 'warn'> },
): ReconciliationMetrics {
  const registers = [registry];
  observeBacklogs({ pool, metrics: registry, log }, [{ ...OPEN_DIFFERENCES, values: [checks] }]);
  const runs = new Counter({
    name: 'reconciliation_runs_total',
    help: 'Runs of reconciliation checks by outcome, ok or failed. Sum over instances.',
    labelNames: ['check', 'outcome'],
    registers,
  });
  for (const check of checks) runs.inc({ check, outcome: 'failed' }, 0);
  const durations = new Histogram({
    name: 'reconciliation_run_seconds',
    help: 'How long a run of a check took. Sum over instances.',
    labelNames: ['check'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60],
    registers,
  });
  return {
    ran(check, seconds) {
      runs.inc({ check, outcome: 'ok' });
      durations.observe({ check }, seconds);
    },
    failed: (check) => runs.inc({ check, outcome: 'failed' }),
  };
}
