import type { Health } from './health';

const INTERVAL_MS = 5_000;
/** One slow response of a busy database must not send callers elsewhere. */
const FAILURES = 2;

/** Looks at the ready checks again and again and reports each change; a failure counts when it comes twice in a row. */
export class ReadinessWatch {
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isReady = true;

  constructor(
    private readonly health: Pick<Health, 'check'>,
    private readonly notify: (isReady: boolean) => void,
    private readonly intervalMs = INTERVAL_MS,
  ) {}

  start(): void {
    this.timer = setTimeout(() => void this.look(), this.intervalMs).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    const { ready } = await this.health.check();
    // Stopped meanwhile: what is published then is the drain's to say.
    if (!this.timer) return;
    this.failures = ready ? 0 : this.failures + 1;
    const isReady = this.failures < FAILURES;
    if (isReady !== this.isReady) this.notify(isReady);
    this.isReady = isReady;
    this.start();
  }
}
