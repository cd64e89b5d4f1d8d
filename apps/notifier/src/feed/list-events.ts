import type { Patience } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import { readCursor, writeCursor, type FeedOwner } from './domain/cursor';
import type { FeedRepository, FeedStretch, StoredEvent } from './feed.repository';

/** What a partner wants of its feed. */
interface EventsQuery {
  /** A cursor, or empty for the oldest event kept. */
  readonly after: string;
  /** Public names; none for all. */
  readonly types: readonly string[];
  /** 1 to 100. */
  readonly limit: number;
}

/** A piece of a feed. */
export interface EventsPage {
  readonly events: readonly StoredEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
  /** What the cursor stands for. */
  readonly position: bigint;
}

/** One statement looks at so many events of any type, and one call makes so many: what a read's time allows. */
const STRETCH = 5_000;
const MOST_STRETCHES = 20;
const MOST_EVENTS = 100;

/**
 * The next events of a feed. Positions become visible in their order, so the statements of one call need no common snapshot: what
 * comes in between is behind all that was looked at before (docs/adr/0020).
 */
export async function listEvents(
  feed: FeedRepository,
  owner: FeedOwner,
  { after, types, limit }: EventsQuery,
  patience?: Patience,
): Promise<EventsPage> {
  const from = after === '' ? undefined : requirePosition(owner, after);
  if (limit < 1 || limit > MOST_EVENTS)
    throw validationFailed([{ path: 'limit', message: `must be 1 to ${MOST_EVENTS}` }]);
  const { found, end, isFull } = await read(feed, owner, from, { types, limit }, patience);
  const events = found.slice(0, limit);
  // Up to the last one returned, or past what nobody wanted.
  const position = found.length > limit ? (found[limit - 1]?.position ?? end) : end;
  const hasMore = found.length > limit || isFull;
  return { events, nextCursor: writeCursor(owner, position), hasMore, position };
}

/** Looks stretch by stretch until there is one more than is wanted, or the feed ends, or it was enough. */
async function read(
  feed: FeedRepository,
  owner: FeedOwner,
  from: bigint | undefined,
  { types, limit }: Pick<EventsQuery, 'types' | 'limit'>,
  patience: Patience | undefined,
): Promise<Omit<FeedStretch, 'isExpired'>> {
  const found: FeedStretch['found'][number][] = [];
  let after = from;
  for (let n = 1; ; n += 1) {
    const missing = limit + 1 - found.length;
    const most = types.length > 0 ? STRETCH : missing;
    const wanted = { after, most, types, limit: missing };
    const { end, isFull, isExpired, ...more } = await feed.read(owner, wanted, patience);
    if (isExpired) throw new AppError('VALIDATION_CURSOR_EXPIRED');
    found.push(...more.found);
    if (found.length > limit || !isFull) return { found, end, isFull: false };
    if (n === MOST_STRETCHES) return { found, end, isFull };
    after = end;
  }
}

function requirePosition(owner: FeedOwner, after: string): bigint {
  const position = readCursor(owner, after);
  if (position === undefined)
    throw validationFailed([{ path: 'after', message: 'must be a nextCursor of your own events feed' }]);
  return position;
}
