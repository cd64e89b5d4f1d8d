import type { Environment, AwaitFeedMovesRequest, AwaitFeedMovesResponse } from '@reseller/contracts';
import { Gauge, type Registry } from 'prom-client';

/** What a watch is made of. */
interface FeedWatchOptions {
  /** One call to notifier, which returns when a feed has moved or its wait is over. */
  readonly fetch: (request: AwaitFeedMovesRequest) => Promise<AwaitFeedMovesResponse>;
  readonly log?: { warn(fields: object, message: string): void } | undefined;
  readonly metrics?: Registry | undefined;
}

/** How a wait ended: the feed has something behind the position, the time is over, or nobody waits any longer. */
export type WaitEnd = 'moved' | 'over' | 'ended';

/** For how long a wait goes on. */
export interface Patience {
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  /** The last position that was heard of since it follows. */
  heard: bigint;
  wake: (() => void) | undefined;
}

const CALL_WAIT_MS = 10_000;
const AT_ONCE_MS = 50;
const PAUSE_MS = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());

/**
 * Wakes requests that wait for events: one call to notifier for all of them, as long as there are any, so that one more that waits
 * costs its socket, a timer and a place in a map. What is heard is a hint; whoever waits reads once more at the end.
 */
export class FeedWatch {
  private readonly waiters = new Map<string, Set<Waiter>>();
  private count = 0;
  private seen = '';
  private isRunning = false;
  private hasEnded = false;
  private isFailing = false;

  constructor(private readonly options: FeedWatchOptions) {
    const { metrics } = options;
    if (!metrics) return;
    const gauge: Gauge = new Gauge({
      name: 'gateway_events_waiting',
      help: 'Requests that wait for an event of their feed. Sum over instances.',
      registers: [metrics],
      collect: () => gauge.set(this.count),
    });
  }

  /** Begins to follow a feed; what it gets from now on is not missed. `leave` follows. */
  follow({ partnerId, environment }: { partnerId: string; environment: Environment }): Following {
    const feed = `${partnerId} ${environment}`;
    const waiter: Waiter = { heard: 0n, wake: undefined };
    const others = this.waiters.get(feed) ?? new Set();
    this.waiters.set(feed, others.add(waiter));
    this.count += 1;
    if (!this.isRunning && !this.hasEnded) void this.run();
    return {
      next: (position, patience) => this.wait(waiter, BigInt(position), patience),
      leave: () => {
        if (!others.delete(waiter)) return;
        this.count -= 1;
        if (others.size === 0 && this.waiters.get(feed) === others) this.waiters.delete(feed);
      },
    };
  }

  /** Ends every wait, now and from now on. */
  close(): void {
    this.hasEnded = true;
    for (const waiters of this.waiters.values()) for (const { wake } of waiters) wake?.();
  }

  private wait(waiter: Waiter, position: bigint, { until, signal }: Patience): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const end = (isOver: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        waiter.wake = undefined;
        if (this.hasEnded || signal?.aborted) resolve('ended');
        else resolve(isOver ? 'over' : 'moved');
      };
      const wake = (): void => {
        if (waiter.heard > position || this.hasEnded || signal?.aborted) end(false);
      };
      const timer = setTimeout(() => end(true), Math.max(0, until - Date.now()));
      signal?.addEventListener('abort', wake);
      waiter.wake = wake;
      wake();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.count > 0 && !this.hasEnded) {
      const calledAt = performance.now();
      try {
        const { seen, moves } = await this.options.fetch({ seen: this.seen, waitMs: CALL_WAIT_MS });
        this.seen = seen;
        this.isFailing = false;
        for (const { partnerId, environment, position } of moves)
          this.hear(`${partnerId} ${environment}`, BigInt(position));
        // An instance that stops returns at once.
        if (moves.length === 0 && performance.now() - calledAt < AT_ONCE_MS) await pause();
      } catch (err) {
        if (!this.isFailing && !this.hasEnded)
          this.options.log?.warn({ err }, 'notifier does not say which feeds move; trying again');
        this.isFailing = true;
        await pause();
      }
    }
    this.isRunning = false;
  }

  private hear(feed: string, position: bigint): void {
    for (const waiter of this.waiters.get(feed) ?? []) {
      if (position > waiter.heard) waiter.heard = position;
      waiter.wake?.();
    }
  }
}

/** One who follows a feed. */
export interface Following {
  /** Resolves when the feed has something behind a position, at the latest when patience ends. */
  next(position: string, patience: Patience): Promise<WaitEnd>;
  leave(): void;
}
