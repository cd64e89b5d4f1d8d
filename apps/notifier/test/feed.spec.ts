import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import type { PoolClient } from 'pg';
import type { FeedOwner } from '../src/feed/domain/cursor';
import { FeedRepository } from '../src/feed/feed.repository';
import { listEvents } from '../src/feed/list-events';
import { eventFor, eventsFor, MIGRATIONS } from './start-delivery';
import { DAY_MS, FeedReader, someOwner } from './start-feed';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  await new PartitionRepository(database.servicePool, silentLog).make(1);
});
afterAll(() => database.drop());

const idsOf = (events: readonly { eventId: string }[]): string[] => events.map(({ eventId }) => eventId);
const add = (events: Parameters<typeof addWebhookEvents>[1]) =>
  addWebhookEvents(database.servicePool, events);

/** What the first page of a feed reads of the database, in its pages. */
async function pagesReadBy(client: PoolClient, { partnerId }: FeedOwner): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT * FROM webhook_read_feed($1, 'sandbox', 0, $2, 21, NULL, 21)`,
    [partnerId, 30 * DAY_MS],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

describe('the events feed', () => {
  it('when events come, subscribed or not, then they are read once each in their order, page by page (spec §16.1)', async () => {
    const owner = someOwner();
    const reader = new FeedReader(database, owner);
    expect(await reader.next()).toEqual([]);
    const events = eventsFor(owner.partnerId, 25);
    await add([...events, eventFor(someOwner().partnerId), ...events.slice(3, 5)]);
    expect([await reader.next(10), reader.hasMore]).toEqual([idsOf(events.slice(0, 10)), true]);
    expect([await reader.next(15), reader.hasMore]).toEqual([idsOf(events.slice(10)), false]);
    const { cursor } = reader;
    await add(events);
    expect(await reader.next()).toEqual([]);
    expect(reader.cursor).toBe(cursor);
    const fresh = new FeedReader(database, owner);
    expect(await fresh.rest(7)).toEqual(idsOf(events));
    const found = await new FeedRepository(database.servicePool, DAY_MS).find(
      owner,
      events[0]?.eventId ?? '',
    );
    expect(found).toEqual({ eventId: events[0]?.eventId, body: events[0]?.body });
  });

  it('when only some types are wanted, then the cursor moves past the others, and hasMore is about them alone (spec §16.1)', async () => {
    const owner = someOwner();
    const failed = Array.from({ length: 3 }, () => eventFor(owner.partnerId, 'order.failed'));
    const others = eventsFor(owner.partnerId, 5_200);
    for (let at = 0; at < others.length; at += 1_300) await add(others.slice(at, at + 1_300));
    await add(failed.slice(0, 2));
    await add(eventsFor(owner.partnerId, 3));
    const reader = new FeedReader(database, owner);
    expect([await reader.next(2, ['order.failed']), reader.hasMore]).toEqual([
      idsOf(failed.slice(0, 2)),
      false,
    ]);
    // Past the three behind them too.
    expect(await reader.next(20)).toEqual([]);
    await add(failed.slice(2));
    const one = new FeedReader(database, owner);
    expect([await one.next(1, ['order.failed', 'order.returned']), one.hasMore]).toEqual([
      idsOf(failed.slice(0, 1)),
      true,
    ]);
  });

  it('when many feeds are read at the same time, then each reader gets its own, whatever the others ask for (spec §16.1)', async () => {
    const owners = Array.from({ length: 40 }, () => someOwner());
    const events = owners.map(({ partnerId }, n) => eventsFor(partnerId, n % 4));
    const failed = owners.map(({ partnerId }) => [eventFor(partnerId, 'order.failed')]);
    await add([...events, ...failed].flat());
    const feed = new FeedRepository(database.servicePool, DAY_MS);
    const read = (types: string[]) =>
      Promise.all(owners.map((owner) => listEvents(feed, owner, { after: '', types, limit: 3 })));
    const [all, some] = await Promise.all([read([]), read(['order.failed'])]);
    const wanted = owners.map((_, n) => idsOf([...(events[n] ?? []), ...(failed[n] ?? [])]));
    expect(all.map((page) => idsOf(page.events))).toEqual(wanted.map((ids) => ids.slice(0, 3)));
    expect(all.map(({ hasMore }) => hasMore)).toEqual(wanted.map((ids) => ids.length > 3));
    expect(some.map((page) => idsOf(page.events))).toEqual(failed.map(idsOf));
  });

  it('when a reader is far behind, then a page costs no more than one of a short feed: a range of the index (spec §16.2)', async () => {
    const [short, long] = [someOwner(), someOwner()];
    await add(eventsFor(short.partnerId, 30));
    for (let n = 0; n < 20; n += 1) await add(eventsFor(long.partnerId, 1_000));
    const client = await database.servicePool.connect();
    try {
      await pagesReadBy(client, short);
      const least = await pagesReadBy(client, short);
      // The 20,000 places are some 200 pages of the table alone.
      expect(await pagesReadBy(client, long)).toBeLessThan(least + 20);
    } finally {
      client.release();
    }
  });

  it('when a batch is not committed yet, then what comes after it in its feed waits, and other feeds go on (spec §16.2)', async () => {
    const [slow, quick] = [someOwner(), someOwner()];
    await add([eventFor(slow.partnerId)]);
    const reader = new FeedReader(database, slow);
    await reader.rest();
    const open = await database.servicePool.connect();
    const first = eventFor(slow.partnerId);
    const second = eventFor(slow.partnerId);
    try {
      await open.query('BEGIN');
      await addWebhookEvents(open, [first]);
      const behind = add([second]);
      await eventually(async () => {
        const waiting = await database.pool.query(
          "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        );
        expect(waiting.rowCount).toBe(1);
      });
      const other = eventFor(quick.partnerId);
      await add([other]);
      expect(await new FeedReader(database, quick).rest()).toEqual([other.eventId]);
      expect(await reader.next()).toEqual([]);
      await open.query('COMMIT');
      await behind;
    } finally {
      open.release();
    }
    expect(await reader.rest(1)).toEqual(idsOf([first, second]));
  });
});
