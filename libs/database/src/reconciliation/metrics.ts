import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Tells the metrics of a service what its reconciler does. */
export interface ReconciliationMetrics {
  ran(check: string, seconds: number, openDifferences: number, completedAt: Date | undefined): void;
  failed(check: string): void;
}

/** Makes the reconciler's metrics in a registry. */
export function reconciliationMetrics(registry: Registry): ReconciliationMetrics {
  const registers = [registry];
  const open = new Gauge({
    name: 'reconciliation_differences',
    help: 'Open differences when the check last ran.',
    labelNames: ['check'],
    registers,
  });
  const runs = new Counter({
    name: 'reconciliation_runs_total',
    help: 'Runs of reconciliation checks.',
    labelNames: ['check', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'reconciliation_run_seconds',
    help: 'How long a run of a check took.',
    labelNames: ['check'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60],
    registers,
  });
  const completed = new Gauge({
    name: 'reconciliation_last_complete_timestamp_seconds',
    help: 'When a check last came through all its subjects, in seconds since the epoch.',
    labelNames: ['check'],
    registers,
  });
  return {
    ran(check, seconds, openDifferences, completedAt) {
      open.set({ check }, openDifferences);
      runs.inc({ check, outcome: 'ok' });
      durations.observe({ check }, seconds);
      if (completedAt) completed.set({ check }, completedAt.getTime() / 1_000);
    },
    failed: (check) => runs.inc({ check, outcome: 'failed' }),
  };
}
