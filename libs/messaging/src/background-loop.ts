import type { Stoppable } from './event-bus';

/** A loop's body: does what is due and returns how long to rest, in milliseconds. */
type LoopBody = (signal: AbortSignal) => Promise<number>;

/** A loop that goes on through failures, resting 100 ms after the first and up to 2 s after more of them. */
export class BackgroundLoop implements Stoppable {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private wakeUp: (() => void) | undefined;
  private woken = false;
  private failures = 0;

  constructor(
    private readonly body: LoopBody,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.running = this.run();
  }

  /** Ends the present rest, or skips the next one; a rest after a failure takes its time. */
  wake(): void {
    this.woken = true;
    if (this.failures === 0) this.wakeUp?.();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp?.();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let restMs: number;
      try {
        restMs = await this.body(signal);
        this.failures = 0;
      } catch (error) {
        this.onFailure(error);
        restMs = Math.min(100 * 2 ** this.failures, 2_000) * (0.5 + Math.random() / 2);
        this.failures += 1;
      }
      if (!signal.aborted) await this.rest(restMs);
    }
  }

  private rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.wakeUp = undefined;
        this.woken = false;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.wakeUp = end;
      if (this.woken && this.failures === 0) end();
    });
  }
}
