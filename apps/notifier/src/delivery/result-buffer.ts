import type { Logger } from '@reseller/service-kit';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedAttempt } from './delivery-queue.repository';

/** Settings of a result buffer. */
interface ResultBufferOptions {
  /** Writes a batch, all or none; repeating it must change nothing. */
  write: (attempts: readonly RecordedAttempt[]) => Promise<void>;
  log: Pick<Logger, 'error'>;
  maxBatch?: number;
  maxWaitMs?: number;
}

const LONGEST_REST_MS = 2_000;

/**
 * Gathers results until there are 256, the first has waited 25 ms or `flush` is called, and writes them in one statement, one after the
 * other. A batch that fails is written again until it passes: an attempt that was made must be counted.
 */
export class ResultBuffer {
  private waiting: RecordedAttempt[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private isGivenUp = false;

  constructor(private readonly options: ResultBufferOptions) {}

  add(attempt: RecordedAttempt): void {
    this.waiting.push(attempt);
    if (this.waiting.length >= (this.options.maxBatch ?? 256)) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.options.maxWaitMs ?? 25);
  }

  get size(): number {
    return this.waiting.length;
  }

  /** Writes what waits as soon as the batch before it is written. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
  }

  /** Resolves when nothing waits any more, or after `giveUp`. */
  async drain(): Promise<void> {
    while (this.waiting.length > 0 || this.writing) {
      this.flush();
      await this.writing;
    }
  }

  /** Ends the repeating of a batch that fails; what it holds is lost and will be attempted again. */
  giveUp(): void {
    this.isGivenUp = true;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.options.maxBatch ?? 256);
      for (let failures = 0; !(await this.isWritten(batch)); failures += 1) {
        if (this.isGivenUp) return;
        await pause(Math.min(100 * 2 ** failures, LONGEST_REST_MS));
      }
    }
  }

  private async isWritten(batch: readonly RecordedAttempt[]): Promise<boolean> {
    try {
      await this.options.write(batch);
      return true;
    } catch (err) {
      this.options.log.error(
        { err, attempts: batch.length },
        'results of webhook attempts cannot be recorded yet',
      );
      return false;
    }
  }
}
