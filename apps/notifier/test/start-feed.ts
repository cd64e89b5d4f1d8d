import type { TestDatabase } from '@reseller/testing';
import { v7 as newId } from 'uuid';
import type { FeedOwner } from '../src/feed/domain/cursor';
import { FeedRepository } from '../src/feed/feed.repository';
import { listEvents, type EventsPage } from '../src/feed/list-events';

export const DAY_MS = 86_400_000;

export const someOwner = (partnerId = newId()): FeedOwner => ({ partnerId, environment: 'sandbox' });

/** A reader of one feed who passes each cursor on. */
export class FeedReader {
  readonly seen: string[] = [];
  cursor = '';
  hasMore = false;
  private readonly feed: FeedRepository;

  constructor(
    database: TestDatabase,
    private readonly owner: FeedOwner,
    retentionMs = 30 * DAY_MS,
  ) {
    this.feed = new FeedRepository(database.servicePool, retentionMs);
  }

  /** Reads one page on; returns the ids of its events. */
  async next(limit = 20, types: readonly string[] = []): Promise<string[]> {
    const page: EventsPage = await listEvents(this.feed, this.owner, { after: this.cursor, types, limit });
    const ids = page.events.map(({ eventId }) => eventId);
    this.seen.push(...ids);
    this.cursor = page.nextCursor;
    this.hasMore = page.hasMore;
    return ids;
  }

  /** Reads until there is no more. */
  async rest(limit = 100, types: readonly string[] = []): Promise<string[]> {
    const from = this.seen.length;
    do await this.next(limit, types);
    while (this.hasMore);
    return this.seen.slice(from);
  }
}
