import { Batcher, query, type Patience, type PreparedStatement } from '@reseller/database';
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
interface StretchQuery {
  /** Undefined begins with the oldest event kept. */
  readonly after: bigint | undefined;
  readonly most: number;
  /** None for all. */
  readonly types: readonly string[];
  readonly limit: number;
}

// Raw: a routine, whose plan never reads more than a range of the primary key; long polls that end together are read by one statement.
const READ: PreparedStatement = {
  name: 'feed-read',
  text: `SELECT w.n::integer AS "of", r.place::text AS position, r.event_id AS "eventId", r.body, r.looked_at AS "lookedAt", r.is_expired AS "isExpired"
         FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::integer[])
           WITH ORDINALITY AS w (partner_id, environment, after, most, types, taken, n)
         CROSS JOIN LATERAL webhook_read_feed(w.partner_id, w.environment, w.after, $7, w.most, string_to_array(w.types, ','), w.taken) r`,
};

/** Statements of a kind under way, and the reads that share one. */
const TOGETHER = {
  concurrency: 2,
  maxBatch: 32,
};

// Raw: by the database's clock.
const FIND: PreparedStatement = {
  name: 'feed-find',
  text: `SELECT event_id AS "eventId", body FROM webhook_events
         WHERE event_id = $3 AND partner_id = $1 AND environment = $2
           AND position > extract(epoch FROM clock_timestamp()) * 1000000 - $4::bigint * 1000`,
};

type Row = { of: number; position: string } & (
  | { eventId: string; body: Buffer; lookedAt: null; isExpired: false }
  | { eventId: null; body: null; lookedAt: number; isExpired: boolean }
);

interface Read {
  readonly owner: FeedOwner;
  readonly wanted: StretchQuery;
}

/** Reads feeds; webhook_take_events alone writes them. */
export class FeedRepository {
  private readonly ofAllTypes: Batcher<Read, FeedStretch>;
  /** Apart, since each may look at thousands. */
  private readonly ofSomeTypes: Batcher<Read, FeedStretch>;

  constructor(
    private readonly pool: Pool,
    /** For how long events are kept (spec §16.1). */
    private readonly retentionMs: number,
  ) {
    this.ofAllTypes = new Batcher({ ...TOGETHER, run: (reads) => this.readTogether(reads) });
    this.ofSomeTypes = new Batcher({ ...TOGETHER, run: (reads) => this.readTogether(reads) });
  }

  /** Looks at up to `most` events of a feed, and returns the first `limit` of the types among them. */
  read(owner: FeedOwner, wanted: StretchQuery, patience?: Patience): Promise<FeedStretch> {
    const batcher = wanted.types.length > 0 ? this.ofSomeTypes : this.ofAllTypes;
    return batcher.submit({ owner, wanted }, patience);
  }

  private async readTogether(reads: readonly Read[]): Promise<FeedStretch[]> {
    const values = [
      reads.map(({ owner }) => owner.partnerId),
      reads.map(({ owner }) => owner.environment),
      reads.map(({ wanted }) => wanted.after?.toString() ?? null),
      reads.map(({ wanted }) => wanted.most),
      reads.map(({ wanted: { types } }) => (types.length > 0 ? types.join(',') : null)),
      reads.map(({ wanted }) => wanted.limit),
      this.retentionMs,
    ];
    const found = reads.map((): FeedStretch['found'][number][] => []);
    const stretches: (FeedStretch | undefined)[] = reads.map(() => undefined);
    for (const row of await query<Row>(this.pool, READ, values)) {
      const at = row.of - 1;
      const position = BigInt(row.position);
      if (row.eventId !== null) found[at]?.push({ position, eventId: row.eventId, body: row.body });
      else {
        const isFull = row.lookedAt >= (reads[at]?.wanted.most ?? 0);
        stretches[at] = { found: found[at] ?? [], end: position, isFull, isExpired: row.isExpired };
      }
    }
    return stretches.map((stretch) => {
      if (!stretch) throw new Error('the database did not say how far a feed was read');
      return stretch;
    });
  }

  /** One public event of the owner's that is kept. */
  async find({ partnerId, environment }: FeedOwner, eventId: string): Promise<StoredEvent | undefined> {
    const values = [partnerId, environment, eventId, this.retentionMs];
    const [row] = await query<StoredEvent>(this.pool, FIND, values);
    return row;
  }
}
