/** Between what bounds a limit moves, and what it aims at. */
export interface LimitBounds {
  readonly min: number;
  /** Where it begins, and what it comes back to when there is little to do. */
  readonly initial: number;
  readonly max: number;
  /** How long work may stand in line at the services, in milliseconds; more is too much at once. */
  readonly targetMs: number;
}

const WINDOW_MS = 200;
const DECREASE = 0.9;
/** At three times the target: the line has grown for a while, and everybody in it waits. */
const FAST_DECREASE = 0.75;
/** For each response, so that who is let in comes one after the other. */
const INCREASE = 0.05;
/** While nothing stands in line at all: a slow vendor needs many at once, and they cost nobody anything. */
const FAST_INCREASE = 0.2;
const RETURN = 0.95;

/**
 * How much may be under way at once (AIMD): less while work stands in line at the services, more while all of it is used and
 * nothing does. It goes by the time in line and not by how long responses take, for a slow vendor is no overload.
 */
export class AdaptiveLimit {
  private limit: number;
  private windowEndsAt = 0;
  private queuedSum = 0;
  private responses = 0;
  private mostUnderWay = 0;
  private growth = 0;

  constructor(private readonly bounds: LimitBounds) {
    this.limit = bounds.initial;
  }

  get value(): number {
    return Math.floor(this.limit);
  }

  /** Says how much is under way, now that one more is. */
  started(underWay: number): void {
    if (underWay > this.mostUnderWay) this.mostUnderWay = underWay;
  }

  /** Notes for how long work stood in line, as a response reported, and how much is under way without it. */
  ended(queuedMs: number, underWay: number, now: number): void {
    if (now >= this.windowEndsAt + WINDOW_MS) this.forget();
    this.queuedSum += queuedMs;
    this.responses += 1;
    this.limit = Math.min(this.bounds.max, this.limit + this.growth);
    if (now < this.windowEndsAt) return;
    this.adjust();
    this.windowEndsAt = now + WINDOW_MS;
    this.forget();
    // Also while nobody is let in: what is under way is used.
    this.mostUnderWay = underWay;
  }

  /** What a response said long ago is over. */
  private forget(): void {
    this.queuedSum = 0;
    this.responses = 0;
  }

  private adjust(): void {
    const { min, initial, targetMs } = this.bounds;
    this.growth = 0;
    const queuedMs = this.queuedSum / this.responses;
    const used = this.mostUnderWay;
    if (queuedMs > targetMs) {
      const decrease = queuedMs > 3 * targetMs ? FAST_DECREASE : DECREASE;
      this.limit = Math.max(min, Math.min(this.limit, used) * decrease);
    } else if (used >= this.value) this.growth = queuedMs < targetMs / 2 ? FAST_INCREASE : INCREASE;
    else if (this.limit < initial) this.limit = Math.min(initial, this.limit / RETURN);
    else if (used < this.limit / 2) this.limit = Math.max(initial, this.limit * RETURN);
  }
}
