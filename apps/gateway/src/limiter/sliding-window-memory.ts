import { LRUCache } from 'lru-cache';
import { RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { msUntilPermit, SEGMENT_COUNT, segmentOf } from './segments';

/** What a key used in the four segments up to `index`, oldest first. */
interface Usage {
  index: number;
  counts: number[];
}

/** Keys held at most, about 100 bytes each; past that the one that was seen least lately has all its permits again. */
const MOST_KEYS = 50_000;

/**
 * Epoch milliseconds as of this process's start, and what has gone by since: a machine's clock that is set back an hour would have
 * whoever used up a minute's permits wait for that hour.
 */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/**
 * The sliding window of spec §11.1 in this process's memory; `consume` resolves when the request may pass and
 * rejects with a RateLimiterRes whose msBeforeNext says when one may again. A refused request uses no permit, and `consume` of
 * none only asks. No key is held for longer than a minute, and never more than `mostKeys` (spec §14.3).
 */
export class SlidingWindowMemory extends RateLimiterCompatibleAbstract {
  override blockDuration = 0;
  override execEvenly = false;
  override readonly keyPrefix: string = '';
  private readonly usages: LRUCache<string, Usage>;
  private newestIndex = -Infinity;

  constructor(
    readonly points: number,
    private readonly now: () => number = steadyNow,
    mostKeys = MOST_KEYS,
  ) {
    super();
    this.usages = new LRUCache({ max: mostKeys });
  }

  override async consume(key: string | number, permits = 1): Promise<RateLimiterRes> {
    const used = this.take(String(key), permits);
    return new RateLimiterRes(this.points - used - permits, 0, used + permits, used === 0);
  }

  /** As `consume`, without a promise: returns how many permits were used before, and throws the refusal. */
  take(key: string, permits: number): number {
    const nowMs = this.now();
    const usage = this.usageOf(key, this.advanceTo(segmentOf(nowMs)));
    const used = sumOf(usage);
    if (used + Math.max(1, permits) > this.points) {
      throw new RateLimiterRes(0, msUntilPermit(usage.counts, this.points, nowMs), this.points + 1, false);
    }
    if (permits > 0) {
      usage.counts[SEGMENT_COUNT - 1] = (usage.counts[SEGMENT_COUNT - 1] ?? 0) + permits;
      // A key with permits in use is held already.
      if (used === 0) this.usages.set(key, usage);
    }
    return used;
  }

  /** How many keys are held at the moment. */
  get size(): number {
    return this.usages.size;
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const used = sumOf(this.usageOf(String(key), this.advanceTo(segmentOf(this.now()))));
    return used === 0 ? null : new RateLimiterRes(Math.max(0, this.points - used), 0, used, false);
  }

  override async delete(key: string | number): Promise<boolean> {
    return this.usages.delete(String(key));
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

  /** Forgets keys that left the window; a clock that steps back keeps counting in the newest segment. */
  private advanceTo(index: number): number {
    if (index <= this.newestIndex) return this.newestIndex;
    this.newestIndex = index;
    let oldest = this.leastRecent();
    while (oldest !== undefined && (this.usages.peek(oldest)?.index ?? 0) <= index - SEGMENT_COUNT) {
      this.usages.delete(oldest);
      oldest = this.leastRecent();
    }
    return index;
  }

  private leastRecent(): string | undefined {
    const [key] = this.usages.rkeys();
    return key;
  }

  private usageOf(key: string, index: number): Usage {
    const usage = this.usages.get(key) ?? { index, counts: new Array<number>(SEGMENT_COUNT).fill(0) };
    for (; usage.index < index; usage.index += 1) usage.counts = [...usage.counts.slice(1), 0];
    return usage;
  }
}

const sumOf = ({ counts }: Usage): number => counts.reduce((sum, count) => sum + count, 0);
