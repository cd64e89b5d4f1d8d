import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { FeedOwner } from './domain/cursor';

/** An event as it is stored: the bytes that webhooks send. */
export interface StoredEvent {
  readonly eventId: string;
  readonly body: Buffer;
}

/** A stretch of a feed, and what of it was wanted. */
export interface FeedStretch {
  readonly found: readonly (StoredEvent & { readonly position: bigint })[];
  /** Up to where it was looked at. */
  readonly end: bigint;
  /** So much was looked at as there may be; the feed may go on. */
  readonly isFull: boolean;
  /** Events after where it begins are kept no more; then nothing is found. */
  readonly isExpired: boolean;
}

/** What to look at, and what of it is wanted. */
export interface StretchQuery {
  /** Undefined begins with the oldest event kept. */
  readonly after: bigint | undefined;
  readonly most: number;
  /** None for all. */
  readonly types: readonly string[];
  readonly limit: number;
}

// Raw: a routine, whose plan never reads more than a range of the primary key.
const READ: PreparedStatement = {
  name: 'feed-read',
  text: `SELECT place::text AS position, event_id AS "eventId", body, looked_at AS "lookedAt", is_expired AS "isExpired"
         FROM webhook_read_feed($1, $2, $3, $4, $5, $6, $7)`,
};

// Raw: by the database's clock.
const FIND: PreparedStatement = {
  name: 'feed-find',
  text: `SELECT event_id AS "eventId", body FROM webhook_events
         WHERE event_id = $3 AND partner_id = $1 AND environment = $2
           AND position > extract(epoch FROM clock_timestamp()) * 1000000 - $4::bigint * 1000`,
};

type Row =
  | { position: string; eventId: string; body: Buffer; lookedAt: null; isExpired: false }
  | { position: string; eventId: null; body: null; lookedAt: number; isExpired: boolean };

/** Reads feeds; webhook_take_events alone writes them. */
export class FeedRepository {
  constructor(
    private readonly pool: Pool,
    /** For how long events are kept (spec §16.1). */
    private readonly retentionMs: number,
  ) {}

  /** Looks at up to `most` events of a feed, and returns the first `limit` of the types among them. */
  async read({ partnerId, environment }: FeedOwner, wanted: StretchQuery): Promise<FeedStretch> {
    const { after, most, types, limit } = wanted;
    const ofTypes = types.length > 0 ? types : null;
    const values = [
      partnerId,
      environment,
      after?.toString() ?? null,
      this.retentionMs,
      most,
      ofTypes,
      limit,
    ];
    const found: FeedStretch['found'][number][] = [];
    for (const row of await query<Row>(this.pool, READ, values)) {
      const position = BigInt(row.position);
      if (row.eventId === null) {
        const { lookedAt, isExpired } = row;
        return { found, end: position, isFull: lookedAt >= most, isExpired };
      }
      found.push({ position, eventId: row.eventId, body: row.body });
    }
    throw new Error('the database did not say how far the feed was read');
  }

  /** One public event of the owner's that is kept. */
  async find({ partnerId, environment }: FeedOwner, eventId: string): Promise<StoredEvent | undefined> {
    const values = [partnerId, environment, eventId, this.retentionMs];
    const [row] = await query<StoredEvent>(this.pool, FIND, values);
    return row;
  }
}
