import { OverloadError } from '@reseller/http-edge';
import { AdaptiveLimit, type LimitBounds } from './adaptive-limit';
import { FairQueue } from './fair-queue';

/** What an admission goes by; times in milliseconds. */
export interface AdmissionOptions extends LimitBounds {
  readonly maxWaiting: number;
}

/** Somebody at the door. */
export interface Arrival {
  /** Whose turn it is: keys take turns. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number;
  /** Whether the caller has gone. */
  isGone(): boolean;
}

interface Waiting extends Arrival {
  readonly enter: () => void;
  readonly refuse: (error: OverloadError) => void;
}

/** So many may wait whatever the rate: what comes at once is no overload. */
const ALWAYS_MAY_WAIT = 64;
/** How long a wait may look to be for one who arrives, and when somebody has waited for longer than STANDING_MS on end. */
const BURST_WAIT_MS = 1_200;
const STANDING_WAIT_MS = 300;
const STANDING_MS = 2_000;
const SWEEP_MS = 100;
/** A rate that was measured longer ago says nothing of how fast the next line moves. */
const RATE_HOLDS_MS = 1_000;
/** The share of the newest measurement in a running mean. */
const NEWEST = 0.2;
const RATE_WINDOW_MS = 250;
const LONGEST_RETRY_SECONDS = 3;

/**
 * The door of one class of work (docs/adr/0019): so many are under way at once as the services keep up with, a few wait, and
 * whoever cannot be done in time is refused at once, before anything of the request was looked at (spec §14.2).
 */
export class Admission {
  refused = 0;
  private readonly limiter: AdaptiveLimit;
  private readonly line = new FairQueue<Waiting>();
  private inside = 0;
  private standingSince: number | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private perMs: number | undefined;
  private perMsAt = -Infinity;
  private ended = 0;
  private rateSince = performance.now();

  constructor(private readonly options: AdmissionOptions) {
    this.limiter = new AdaptiveLimit(options);
  }

  get limit(): number {
    return this.limiter.value;
  }

  get underWay(): number {
    return this.inside;
  }

  get waiting(): number {
    return this.line.length;
  }

  /** The seconds after which one may come again who has come now, of this key and patience, and could neither enter nor wait. */
  look(patienceMs: number, keyOf: () => string): number | undefined {
    return this.isOpen() || this.mayWait(keyOf(), patienceMs) ? undefined : this.refuse();
  }

  /** Lets one in, at once (undefined) or when its turn comes; throws or rejects with SERVICE_UNAVAILABLE. `leave` follows. */
  enter(arrival: Arrival): Promise<void> | undefined {
    if (this.isOpen()) {
      this.take();
      return undefined;
    }
    if (!this.mayWait(arrival.key, arrival.deadlineAt - Date.now())) throw this.refusal();
    // Only for one below its share is there room in a full line: the last of whoever has the most makes it.
    if (this.line.length >= this.options.maxWaiting) this.line.pop()?.refuse(this.refusal());
    if (this.line.length === 0) this.beginLine();
    return new Promise((resolve, reject) => {
      this.line.push(arrival.key, { ...arrival, enter: resolve, refuse: reject });
      this.standingSince ??= performance.now();
      this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    });
  }

  /** Says that one has left, and how long its work stood in line. */
  leave(queuedMs: number): void {
    this.inside -= 1;
    const now = performance.now();
    this.limiter.ended(queuedMs, this.inside, now);
    this.measureRate(now);
    this.letIn();
  }

  private isOpen(): boolean {
    return this.line.length === 0 && this.inside < this.limiter.value;
  }

  private take(): void {
    this.inside += 1;
    this.limiter.started(this.inside);
  }

  private letIn(): void {
    while (this.inside < this.limiter.value) {
      const next = this.line.shift();
      if (!next) break;
      if (isOver(next)) {
        next.refuse(this.refusal());
        continue;
      }
      this.take();
      next.enter();
    }
    if (this.line.length === 0) this.standingSince = undefined;
  }

  private mayWait(key: string, patienceMs: number): boolean {
    if (this.line.length >= this.options.maxWaiting && !this.line.isBelowShare(key)) return false;
    const ahead = this.line.ahead(key);
    if (ahead < ALWAYS_MAY_WAIT || this.perMs === undefined) return true;
    const waitMs = (ahead + 1) / this.perMs;
    const isStanding = performance.now() - (this.standingSince ?? Infinity) > STANDING_MS;
    return waitMs <= Math.min(isStanding ? STANDING_WAIT_MS : BURST_WAIT_MS, patienceMs);
  }

  /** Takes out those whose time is over, also while nobody leaves. */
  private sweep(): void {
    for (const waiting of this.line.remove(isOver)) waiting.refuse(this.refusal());
    // When less is done than was when they came, their turn is further off than it looked: the newest may come back sooner.
    while (this.line.length > Math.max(ALWAYS_MAY_WAIT, (this.perMs ?? Infinity) * BURST_WAIT_MS))
      this.line.pop()?.refuse(this.refusal());
    if (this.line.length > 0) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    this.standingSince = undefined;
  }

  /** The rate is that of a line: what ended while there was none says nothing of how much can be done. */
  private beginLine(): void {
    const now = performance.now();
    if (now - this.perMsAt > RATE_HOLDS_MS) this.perMs = undefined;
    this.startMeasuring(now);
  }

  private measureRate(now: number): void {
    this.ended += 1;
    const elapsed = now - this.rateSince;
    if (elapsed < RATE_WINDOW_MS) return;
    const rate = this.ended / elapsed;
    if (this.line.length > 0) {
      this.perMs = this.perMs === undefined ? rate : this.perMs + (rate - this.perMs) * NEWEST;
      this.perMsAt = now;
    }
    this.startMeasuring(now);
  }

  private startMeasuring(now: number): void {
    this.rateSince = now;
    this.ended = 0;
  }

  private refusal = (): OverloadError => new OverloadError(this.refuse());

  /** Counts a refusal; returns the seconds to stay away, spread so that those refused together do not come back together. */
  private refuse(): number {
    this.refused += 1;
    return 1 + Math.floor(Math.random() * LONGEST_RETRY_SECONDS);
  }
}

const isOver = ({ deadlineAt, isGone }: Waiting): boolean => deadlineAt <= Date.now() || isGone();
