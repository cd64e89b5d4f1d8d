import { Counter, Gauge, type Registry } from 'prom-client';

/** Reports to the metrics of a process what one of its jobs does. */
export interface JobObserver {
  started(): void;
  succeeded(): void;
  failed(): void;
}

/** The metrics of a job; all jobs of a process share them. Not labelled `job`, which Prometheus gives to what it scrapes. */
export function observeJob(registry: Registry, job: string, intervalMs: number): JobObserver {
  const { runs, lastSuccess, interval } = jobMetrics(registry);
  return {
    started() {
      // From the start on: what has never failed yet is 0 and not unknown, and what never ends is seen to be late.
      for (const outcome of ['ok', 'failed']) runs.inc({ job_name: job, outcome }, 0);
      interval.set({ job_name: job }, intervalMs / 1_000);
      lastSuccess.set({ job_name: job }, Date.now() / 1_000);
    },
    succeeded() {
      runs.inc({ job_name: job, outcome: 'ok' });
      lastSuccess.set({ job_name: job }, Date.now() / 1_000);
    },
    failed: () => runs.inc({ job_name: job, outcome: 'failed' }),
  };
}

interface JobMetrics {
  readonly runs: Counter<'job_name' | 'outcome'>;
  readonly lastSuccess: Gauge<'job_name'>;
  readonly interval: Gauge<'job_name'>;
}

const known = new WeakMap<Registry, JobMetrics>();

function jobMetrics(registry: Registry): JobMetrics {
  const existing = known.get(registry);
  if (existing) return existing;
  const registers = [registry];
  const made: JobMetrics = {
    runs: new Counter({
      name: 'job_runs_total',
      help: 'Runs of background jobs by outcome, ok or failed. Sum over instances.',
      labelNames: ['job_name', 'outcome'],
      registers,
    }),
    lastSuccess: new Gauge({
      name: 'job_last_success_timestamp_seconds',
      help: 'When a job of this process last ended well, or else was started, in seconds since the epoch. Every instance runs its own: take min().',
      labelNames: ['job_name'],
      registers,
    }),
    interval: new Gauge({
      name: 'job_interval_seconds',
      help: 'How long it is from one run of a job to the next. The same in every instance: take max().',
      labelNames: ['job_name'],
      registers,
    }),
  };
  known.set(registry, made);
  return made;
}
