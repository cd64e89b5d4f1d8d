import { randomUUID } from 'node:crypto';

/** A feed that got something, and up to where. */
export interface FeedMove {
  readonly partnerId: string;
  readonly environment: string;
  readonly position: string;
}

interface Noted {
  readonly move: FeedMove;
  readonly number: number;
  readonly at: number;
}

/** Longer than anybody waits for an event (spec §16.1). */
const KEPT_MS = 30_000;
const LONGEST_WAIT_MS = 10_000;
/** How many instances a caller may have heard from; those from long ago are forgotten. */
const MOST_INSTANCES = 16;

/**
 * Which feeds moved lately, numbered as this instance heard of it. A caller passes on what it has seen of each instance, for its
 * calls reach them in turn.
 */
export class FeedMoves {
  private readonly instance = randomUUID();
  /** By feed, the latest last. */
  private readonly noted = new Map<string, Noted>();
  private readonly waiting = new Set<() => void>();
  private last = 0;
  private hasEnded = false;

  /** Takes moves over; one that is known already changes nothing. */
  note(moves: readonly FeedMove[]): void {
    const at = performance.now();
    const before = this.last;
    for (const move of moves) {
      const feed = `${move.partnerId} ${move.environment}`;
      const known = this.noted.get(feed);
      if (known && BigInt(known.move.position) >= BigInt(move.position)) continue;
      this.noted.delete(feed);
      this.noted.set(feed, { move, number: (this.last += 1), at });
    }
    for (const [feed, noted] of this.noted) {
      if (noted.at > at - KEPT_MS) break;
      this.noted.delete(feed);
    }
    if (this.last > before) for (const wake of this.waiting) wake();
  }

  /** What moved since a caller's last call, as soon as there is something, the time is over, or the caller has gone. */
  async since(
    seen: string,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<{ seen: string; moves: readonly FeedMove[] }> {
    const marks = readMarks(seen);
    const mark = marks.get(this.instance) ?? NaN;
    if (mark === this.last && !this.hasEnded) await this.next(Math.min(waitMs, LONGEST_WAIT_MS), signal);
    // Of an instance that was not called before everything is new.
    const isNew = (number: number): boolean => !(number <= mark);
    const moves = [...this.noted.values()].filter(({ number }) => isNew(number)).map(({ move }) => move);
    marks.delete(this.instance);
    marks.set(this.instance, this.last);
    const kept = [...marks].slice(-MOST_INSTANCES);
    return { seen: kept.map((one) => one.join(':')).join(','), moves };
  }

  /** Lets every wait end, now and from now on, so that a stopping process has no calls under way. */
  end(): void {
    this.hasEnded = true;
    for (const wake of this.waiting) wake();
  }

  private next(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, ms));
      this.waiting.add(wake);
      signal?.addEventListener('abort', wake);
      if (signal?.aborted) wake();
    });
  }
}

/** What a caller has seen of which instance. */
const readMarks = (seen: string): Map<string, number> =>
  new Map(
    seen.split(',').flatMap((mark) => {
      const [instance, number] = mark.split(':');
      return instance && number ? [[instance, Number(number)] as const] : [];
    }),
  );
