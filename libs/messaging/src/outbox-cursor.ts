import type { LockedSlots } from './outbox-slice.sql';

/** What one look at the outbox looks at. */
export interface Look {
  /** From here on, or from so long ago on (an interval) where that is earlier; without both from the oldest event. */
  from: string | null;
  ago: string | null;
  /** How many events at most, as a multiple of a slice. */
  slices: number;
  /** Aggregates that are passed by. */
  without: string[];
}

const SECOND_MS = 1_000;
/** A transaction that appends an event commits it long before this in general, and before that in any case. */
const GLANCE = '5 seconds';
const LONG_GLANCE = '2 minutes';
const LONG_GLANCE_EVERY_MS = SECOND_MS;
const WHOLE_EVERY_MS = 30 * SECOND_MS;
/** Of the time, looking at everything takes at most one part in so many. */
const WHOLE_SHARE = 20;
const SLICES_OF_A_LOOK = 2;
const SLICES_OF_A_LOOK_PAST_HEAVY_ONES = 40;

/**
 * Where a relay looks next; only a hint, never a claim about what is published. While a snapshot is held somewhere, all that
 * was published since stays in the index as dead entries, so not every look begins at the oldest: most see the last seconds only, some
 * the last minutes, and a few everything. With a backlog a look begins at the oldest event that is left. Where a few aggregates
 * have most of that, every other look passes them by and goes through what is behind them.
 */
export class OutboxCursor {
  private from: string | null = null;
  private ahead: string | null = null;
  private heavy: string[] = [];
  private isBehind = false;
  /** Whether something older was passed by, for it was another relay's. */
  private hasSkipped = false;
  private isPastHeavyOnes = false;
  /** Whether it goes on behind what it could take nothing of. */
  private isPassing = false;
  private lookedLongAt = -Infinity;
  private wholeDueAt = -Infinity;
  private wholeBegunAt: number | undefined;
  private wholeTookMs = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** What to look at now. */
  look(): Look {
    this.isPastHeavyOnes = this.heavy.length > 0 && !this.isPastHeavyOnes;
    if (this.isPastHeavyOnes)
      return {
        from: this.ahead ?? this.from,
        ago: null,
        slices: SLICES_OF_A_LOOK_PAST_HEAVY_ONES,
        without: this.heavy,
      };
    const plain = { slices: SLICES_OF_A_LOOK, without: [] };
    const at = this.now();
    if (at >= this.wholeDueAt && !this.isBehind) {
      this.wholeBegunAt = at;
      return { ...plain, from: null, ago: null };
    }
    // With a glance back it would see the same again, for as long as so much comes.
    if (this.from !== null) return { ...plain, from: this.from, ago: this.isPassing ? null : GLANCE };
    const isLong = at - this.lookedLongAt >= LONG_GLANCE_EVERY_MS;
    if (isLong) this.lookedLongAt = at;
    return { ...plain, from: null, ago: isLong ? LONG_GLANCE : GLANCE };
  }

  /** There was nothing to see. */
  sawNothing(): void {
    this.lookEnded();
    this.from = null;
    this.isBehind = this.isPassing = false;
    if (this.hasSkipped) this.lookAtAllSoon();
  }

  /** What the look saw, how many of those events were published or parked, and whether any may be left waiting. */
  saw(seen: LockedSlots, done: number, hasLeft: boolean): void {
    this.lookEnded();
    if (this.isPastHeavyOnes) {
      this.ahead = seen.isEnd ? null : seen.next;
      return;
    }
    this.heavy = seen.heavy;
    this.isBehind = seen.isBehind;
    if (this.heavy.length === 0) this.ahead = null;
    const isStuck = seen.isBehind && done === 0;
    this.isPassing = isStuck && !seen.isEnd;
    if (isStuck) this.from = seen.isEnd ? null : seen.next;
    else this.from = hasLeft ? seen.first : null;
    this.hasSkipped ||= isStuck || (hasLeft && !seen.isBehind);
    if (this.hasSkipped && (!seen.isBehind || this.from === null)) this.lookAtAllSoon();
  }

  /** The next look begins at the oldest: what failed must come first again. */
  reset(): void {
    this.from = this.ahead = null;
    this.heavy = [];
    this.isBehind = this.isPassing = false;
    this.wholeDueAt = -Infinity;
    this.wholeBegunAt = undefined;
  }

  private lookAtAllSoon(): void {
    this.hasSkipped = false;
    this.isBehind = false;
    const rest = Math.max(SECOND_MS, WHOLE_SHARE * this.wholeTookMs);
    this.wholeDueAt = Math.min(this.wholeDueAt, this.now() + rest);
  }

  private lookEnded(): void {
    if (this.wholeBegunAt === undefined) return;
    this.wholeTookMs = this.now() - this.wholeBegunAt;
    this.wholeDueAt = this.now() + Math.max(WHOLE_EVERY_MS, WHOLE_SHARE * this.wholeTookMs);
    this.wholeBegunAt = undefined;
  }
}
