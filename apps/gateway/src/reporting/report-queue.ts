import type { Counter } from 'prom-client';
import type { Logger } from 'pino';

/** Where what a gateway notes goes, and how much of it may wait. */
interface ReportQueueOptions<T> {
  /** Makes reports of what was noted since the last time. */
  readonly close: () => readonly T[];
  /** Sends the first of these, as many as go in one call; resolves with how many were taken. */
  readonly send: (reports: readonly T[]) => Promise<number>;
  /** How many notes a report has. */
  readonly sizeOf: (report: T) => number;
  /** Notes that are kept at most; what comes then is dropped. */
  readonly most: number;
  /** Counts what was dropped. */
  readonly dropped: Counter | undefined;
  /** What is logged when reports are not taken. */
  readonly notTaken: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** So that what is noted is shown within about a second. */
const INTERVAL_MS = 500;

/**
 * Hands what a gateway notes to a service in the background, in reports that are sent until they are taken (docs/adr/0022). What was not
 * sent when the process is killed is lost.
 */
export class ReportQueue<T> {
  private waiting: T[] = [];
  private kept = 0;
  private sending: Promise<void> | undefined;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ReportQueueOptions<T>) {}

  /** Takes a place for a note; without one it is dropped, and counted. */
  takePlace(): boolean {
    if (this.kept >= this.options.most) {
      this.options.dropped?.inc();
      return false;
    }
    this.kept += 1;
    return true;
  }

  /** Begins to send in the background. */
  start(): void {
    this.timer = setInterval(() => void this.flush(), INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends what there is, once more if that fails; ends the background work. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    if (this.kept > 0) await this.flush();
  }

  /** Sends what there is; resolves when that has come to an end, well or not. */
  flush(): Promise<void> {
    this.sending ??= this.send().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async send(): Promise<void> {
    const { close, send, sizeOf, log, notTaken } = this.options;
    this.waiting.push(...close());
    while (this.waiting.length > 0) {
      try {
        const taken = this.waiting.splice(0, await send(this.waiting));
        this.kept -= taken.reduce((sum, report) => sum + sizeOf(report), 0);
        this.isFailing = false;
      } catch (err) {
        if (!this.isFailing) log.warn({ err }, notTaken);
        this.isFailing = true;
        return;
      }
    }
  }
}
