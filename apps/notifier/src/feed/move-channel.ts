import { query, type PreparedStatement, type SessionPool } from '@reseller/database';
import { ChannelListener, type Stoppable } from '@reseller/messaging';
import type { Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { FeedMove, FeedMoves } from './feed-moves';

// Raw: a NOTIFY. It holds a lock over the whole server while it commits, so it does not wait for the disk and comes after the events, at most every GATHER_MS.
const NOTIFY: PreparedStatement = {
  name: 'feed-notify',
  text: `WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         SELECT pg_notify('webhook_feeds', $1) FROM quick`,
};

const GATHER_MS = 20;
/** A notification has room for 8,000 bytes; a move takes some 80. */
const MOVES_AT_ONCE = 80;

/** What the channel is made of. */
interface MoveChannelDeps {
  readonly pool: Pool;
  /** Of one connection, which listens. */
  readonly listening: SessionPool;
  readonly moves: FeedMoves;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Passes moves on between the instances, through the database. A notification is a hint: where none is heard, whoever waits reads at
 * the end of the wait.
 */
export class MoveChannel implements Stoppable {
  private readonly listener: ChannelListener;
  private readonly gathered: FeedMove[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: MoveChannelDeps) {
    this.listener = new ChannelListener({
      pool: deps.listening,
      channel: 'webhook_feeds',
      onNotification: (payload) => this.hear(payload),
      onFailure: (err) => deps.log.warn({ err }, 'moves of feeds are not heard; trying again'),
    });
  }

  /** Says that feeds got something, after the commit; here at once, elsewhere within moments. */
  publish(moves: readonly FeedMove[]): void {
    if (moves.length === 0) return;
    this.deps.moves.note(moves);
    this.gathered.push(
      ...moves.map(({ partnerId, environment, position }) => ({ partnerId, environment, position })),
    );
    this.timer ??= setTimeout(() => void this.send(), GATHER_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.listener.stop();
  }

  private hear(payload: string): void {
    try {
      this.deps.moves.note(readMoves(payload));
    } catch (err) {
      // Of another version, or by hand. Thrown, it would end the process, of every instance at once.
      this.deps.log.warn({ err }, 'moves of feeds could not be read');
    }
  }

  private async send(): Promise<void> {
    this.timer = undefined;
    const latest = new Map(this.gathered.map((move) => [`${move.partnerId} ${move.environment}`, move]));
    this.gathered.length = 0;
    const moves = [...latest.values()];
    try {
      for (let at = 0; at < moves.length; at += MOVES_AT_ONCE)
        await query(this.deps.pool, NOTIFY, [JSON.stringify(moves.slice(at, at + MOVES_AT_ONCE).map(toRow))]);
    } catch (err) {
      this.deps.log.warn({ err }, 'moves of feeds could not be passed on');
    }
  }
}

type Row = readonly [partnerId: string, environment: string, position: string];

const toRow = ({ partnerId, environment, position }: FeedMove): Row => [partnerId, environment, position];

/** What a notification holds. */
const readMoves = (payload: string): FeedMove[] =>
  (JSON.parse(payload) as Row[]).map(([partnerId, environment, position]) => ({
    partnerId,
    environment,
    position,
  }));
