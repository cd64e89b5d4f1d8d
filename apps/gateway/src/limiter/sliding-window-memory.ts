import { RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { msUntilPermit, SEGMENT_COUNT, segmentOf } from './segments';

interface Segment {
  readonly index: number;
  readonly counts: Map<string, number>;
}

/**
 * The sliding window of spec §11.1 in this process's memory; `consume` resolves when the request may pass and
 * rejects with a RateLimiterRes whose msBeforeNext says when one may again. A refused request uses no permit.
 * Each segment is a map of its own that is dropped whole when it leaves the window, so memory holds no key for
 * longer than a minute.
 */
export class SlidingWindowMemory extends RateLimiterCompatibleAbstract {
  override blockDuration = 0;
  override execEvenly = false;
  override readonly keyPrefix: string = '';
  private readonly segments: Segment[] = [];

  constructor(
    readonly points: number,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  override async consume(key: string | number, permits = 1): Promise<RateLimiterRes> {
    const nowMs = this.now();
    const name = String(key);
    const current = this.advanceTo(segmentOf(nowMs));
    const counts = this.countsOf(name, current.index);
    const used = counts.reduce((sum, count) => sum + count, 0);
    if (used + permits > this.points) {
      throw new RateLimiterRes(0, msUntilPermit(counts, this.points, nowMs), this.points + 1, false);
    }
    current.counts.set(name, (current.counts.get(name) ?? 0) + permits);
    return new RateLimiterRes(this.points - used - permits, 0, used + permits, used === 0);
  }

  /** How many keys are held at the moment, over all segments. */
  get size(): number {
    return this.segments.reduce((sum, segment) => sum + segment.counts.size, 0);
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const current = this.advanceTo(segmentOf(this.now()));
    const used = this.countsOf(String(key), current.index).reduce((sum, count) => sum + count, 0);
    return used === 0 ? null : new RateLimiterRes(Math.max(0, this.points - used), 0, used, false);
  }

  override async delete(key: string | number): Promise<boolean> {
    return this.segments.map((segment) => segment.counts.delete(String(key))).includes(true);
  }

  // The gateway only consumes; what else the library's interface names would bend the window's rule.
  override penalty(): Promise<RateLimiterRes> {
    return this.refuse('penalty');
  }
  override reward(): Promise<RateLimiterRes> {
    return this.refuse('reward');
  }
  override block(): Promise<RateLimiterRes> {
    return this.refuse('block');
  }
  override set(): Promise<RateLimiterRes> {
    return this.refuse('set');
  }

  private refuse(operation: string): Promise<RateLimiterRes> {
    return Promise.reject(new Error(`a sliding window has no ${operation}`));
  }

  /** Drops what left the window; a clock that steps back keeps counting in the newest segment. */
  private advanceTo(index: number): Segment {
    const newest = this.segments.at(-1);
    if (newest && newest.index >= index) return newest;
    const segment = { index, counts: new Map<string, number>() };
    this.segments.push(segment);
    while ((this.segments[0]?.index ?? index) <= index - SEGMENT_COUNT) this.segments.shift();
    return segment;
  }

  private countsOf(key: string, currentIndex: number): number[] {
    const counts = new Array<number>(SEGMENT_COUNT).fill(0);
    for (const segment of this.segments) {
      counts[SEGMENT_COUNT - 1 - (currentIndex - segment.index)] = segment.counts.get(key) ?? 0;
    }
    return counts;
  }
}
