/** Over so long the rate of events is taken. */
const WINDOW_MS = 250;
/** From so many events a second on, each costs less when more of them go together. */
const BUSY_PER_SECOND = 100;
const LEAST_GAP_MS = 5;
const MOST_GAPS = 4;
/**
 * Rests without a word, each twice as long as the last one while nothing comes: what another process has committed it relays by itself,
 * unless it has ended.
 */
const BACKSTOP_GAPS = 40;
const MOST_BACKSTOP_GAPS = 160;

/**
 * How soon a relay looks again: at once where events are few, after a rest where they are many, and ever later while looks find
 * nothing. Times in milliseconds.
 */
export class RelayPace {
  private recent = 0;
  private recentAt: number;
  private emptyMs = 0;
  private backstopGaps = BACKSTOP_GAPS;
  private lookedAt = -Infinity;

  constructor(
    private readonly pollMs: number,
    /** Whether somebody says when there may be something. */
    private readonly isWoken: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.recentAt = now();
  }

  looks(): void {
    this.lookedAt = this.now();
  }

  /** The rest after a look that found nothing, unless it is ended by a word. */
  sawNothing(): number {
    const least = this.isWoken ? LEAST_GAP_MS : this.pollMs;
    this.emptyMs = Math.min(Math.max(least, this.emptyMs * 2), this.pollMs * MOST_GAPS);
    if (!this.isWoken) return this.emptyMs;
    const restMs = this.pollMs * this.backstopGaps;
    this.backstopGaps = Math.min(2 * this.backstopGaps, MOST_BACKSTOP_GAPS);
    return restMs;
  }

  /** The rest after so many events; what is still waiting is looked for then. */
  published(count: number): number {
    const at = this.now();
    this.recent = this.recent * Math.exp((this.recentAt - at) / WINDOW_MS) + count;
    this.recentAt = at;
    this.emptyMs = 0;
    this.backstopGaps = BACKSTOP_GAPS;
    return this.isWoken ? this.gapMs() : this.pollMs;
  }

  /** How long to wait after a word before looking. */
  untilLook(): number {
    return Math.max(0, this.lookedAt + Math.max(this.gapMs(), this.emptyMs) - this.now());
  }

  private gapMs(): number {
    const isBusy = this.recent * 1_000 > BUSY_PER_SECOND * WINDOW_MS;
    return isBusy ? this.pollMs : Math.min(LEAST_GAP_MS, this.pollMs);
  }
}
