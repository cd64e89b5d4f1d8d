/** For each millisecond that pieces took, so many go to everybody else before the next are read. */
const REST = 4;
const LEAST_REST_MS = 5;

/**
 * Takes turns among bodies that arrive in small pieces. A piece costs a microsecond whatever its size, so a sender of single
 * bytes makes thousands of times the work of any other: all of them together get a fifth of the event loop (spec §14.1).
 */
export class PiecePacer {
  private readonly waiting: (() => void)[] = [];
  private restsUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Lets a body read on in its turn; what it has read until now took so many milliseconds. */
  rest(tookMs: number, readOn: () => void): void {
    this.waiting.push(readOn);
    this.restsUntil = Math.max(this.restsUntil, this.now()) + Math.max(LEAST_REST_MS, REST * tookMs);
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        if (this.now() >= this.restsUntil) {
          // Its sender may have nothing for now: the next is not kept waiting for it.
          this.restsUntil = this.now() + LEAST_REST_MS;
          this.waiting.shift()?.();
        }
        if (this.waiting.length > 0) this.schedule();
      },
      Math.max(1, this.restsUntil - this.now()),
    );
  }
}
