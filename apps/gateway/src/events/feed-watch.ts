import type { Environment, AwaitFeedMovesRequest, AwaitFeedMovesResponse } from '@reseller/contracts';
import { Gauge, type Registry } from 'prom-client';
import { Following, WaitEnds } from './following';

/** What a watch is made of. */
interface FeedWatchOptions {
  /** One call to notifier, which returns when a feed has moved or its wait is over. */
  readonly fetch: (request: AwaitFeedMovesRequest) => Promise<AwaitFeedMovesResponse>;
  readonly log?: { warn(fields: object, message: string): void } | undefined;
  readonly metrics?: Registry | undefined;
}

const CALL_WAIT_MS = 10_000;
const AT_ONCE_MS = 50;
const PAUSE_MS = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());

/**
 * Wakes requests that wait for events: one call to notifier for all of them, as long as there are any, so that one more that waits
 * costs its socket and what it is itself. What is heard is a hint; whoever waits reads once more at the end.
 */
export class FeedWatch {
  private readonly followers = new Map<string, Set<Following>>();
  readonly ends = new WaitEnds();
  private count = 0;
  private seen = '';
  private isRunning = false;
  /** Whether every wait ends at once. */
  hasEnded = false;
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
    const others = this.followers.get(feed) ?? new Set();
    const following = new Following(this, feed);
    this.followers.set(feed, others.add(following));
    this.count += 1;
    if (!this.isRunning && !this.hasEnded) void this.run();
    return following;
  }

  /** Nothing is said to one who has left. */
  leave(following: Following): void {
    const others = this.followers.get(following.feed);
    if (!others?.delete(following)) return;
    this.count -= 1;
    if (others.size === 0) this.followers.delete(following.feed);
  }

  /** Ends every wait, now and from now on. */
  close(): void {
    this.hasEnded = true;
    for (const followers of this.followers.values()) for (const following of followers) following.look();
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
    for (const following of this.followers.get(feed) ?? []) following.hear(position);
  }
}
