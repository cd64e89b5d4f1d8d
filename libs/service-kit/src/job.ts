import { withLogFields } from '@reseller/telemetry';
import type { Registry } from 'prom-client';
import { observeJob, type JobObserver } from './job-metrics';
import type { Logger } from './logger';

/** A loop in the background. */
export interface Job {
  readonly name: string;
  start(): void;
  /** Runs as soon as possible, at once after a run under way. */
  wake(): void;
  /** Aborts the signal and resolves when the run under way has ended. */
  stop(): Promise<void>;
}

/**
 * Settings of a job; a run that resolves to true had more to do and is repeated at once. After runs that resolve to 'idle' the
 * rest doubles, up to eight times the interval, until one finds something or the job is woken.
 */
export interface JobOptions {
  name: string;
  intervalMs: number;
  /** The first run comes three seconds after the start, unless it is woken before: for what is tidied while a process should serve. */
  afterStart?: boolean;
  /** What the interval is counted from; by default from where a run ended. */
  intervalFrom?: 'start' | 'end';
  run: (signal: AbortSignal) => Promise<unknown>;
  log: Pick<Logger, 'error'>;
  metrics?: Registry | undefined;
}

const AFTER_START_MS = 3_000;
const LONGEST_BACK_OFF_MS = 30_000;
const LONGEST_IDLE_INTERVALS = 8;

/** A job that never overlaps itself, logs each failure and waits twice as long after each (up to 30 s). */
export function createJob(options: JobOptions): Job {
  return new LoopingJob(options);
}

class LoopingJob implements Job {
  readonly name: string;
  private readonly controller = new AbortController();
  private readonly observer: JobObserver | undefined;
  private loop: Promise<void> | undefined;
  private woken = false;
  private endPause: (() => void) | undefined;
  private failures = 0;
  private idleRuns = 0;

  constructor(private readonly options: JobOptions) {
    this.name = options.name;
    this.observer = options.metrics && observeJob(options.metrics, options.name, options.intervalMs);
  }

  start(): void {
    this.observer?.started();
    this.loop ??= this.repeat();
  }

  wake(): void {
    this.woken = true;
    this.idleRuns = 0;
    this.endPause?.();
  }

  async stop(): Promise<void> {
    this.controller.abort();
    this.endPause?.();
    await this.loop;
  }

  private async repeat(): Promise<void> {
    if (this.options.afterStart) await this.rest(AFTER_START_MS);
    while (!this.controller.signal.aborted) {
      this.woken = false;
      const startedAt = performance.now();
      const more = await this.runOnce();
      if (!more) await this.pause(performance.now() - startedAt);
    }
  }

  private async runOnce(): Promise<boolean> {
    try {
      const { run } = this.options;
      const found = await withLogFields({ job: this.name }, () => run(this.controller.signal));
      this.failures = 0;
      this.idleRuns = found === 'idle' ? this.idleRuns + 1 : 0;
      this.observer?.succeeded();
      return found === true;
    } catch (err) {
      if (this.controller.signal.aborted) return false;
      this.failures += 1;
      this.observer?.failed();
      this.options.log.error({ err, job: this.name, failures: this.failures }, 'job failed');
      return false;
    }
  }

  private async pause(ranMs: number): Promise<void> {
    const { intervalMs, intervalFrom } = this.options;
    const idleMs = intervalMs * Math.min(2 ** Math.max(0, this.idleRuns - 1), LONGEST_IDLE_INTERVALS);
    const backOffMs = Math.min(intervalMs * 2 ** this.failures, LONGEST_BACK_OFF_MS);
    const leftMs = intervalFrom === 'start' ? Math.max(0, idleMs - ranMs) : idleMs;
    // However long it took to fail.
    await this.rest(this.failures > 0 ? Math.max(leftMs, backOffMs) : leftMs);
  }

  private async rest(restMs: number): Promise<void> {
    if (this.woken || this.controller.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
