import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import type { DomainEvent } from './domain-event';
import type { Stoppable } from './event-bus';
import { OutboxCursor } from './outbox-cursor';
import { createOutboxRelay } from './outbox-relay';

describe('the order in which a relay works a backlog off', () => {
  let database: TestDatabase;
  let relay: Stoppable | undefined;
  let batches: string[][];

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(readFileSync(path.resolve(__dirname, '../sql/messaging.sql'), 'utf8'));
    batches = [];
  });
  afterEach(async () => {
    await relay?.stop();
    relay = undefined;
    await database.drop();
  });

  const start = (batchSize: number): void => {
    const publish = async (events: DomainEvent[]): Promise<void> =>
      void batches.push(events.map(({ aggregateId, aggregateSeq }) => `${aggregateId}/${aggregateSeq}`));
    relay = createOutboxRelay({
      connectionString: database.url,
      bus: { publish },
      log: silentLog,
      batchSize,
    });
  };
  const expectAllPublished = (): Promise<void> => eventually(nothingWaits);
  const nothingWaits = async (): Promise<void> => {
    const { rowCount } = await database.pool.query('SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1');
    expect(rowCount).toBe(0);
  };

  it('when it was away for a day, then it catches up oldest first, whatever the aggregates are called', async () => {
    // The later the aggregate's name, the older its events; two an hour apart of each.
    await database.pool.query(
      `INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, occurred_at)
       SELECT uuidv7(), 't', 'T', 'a-' || to_char(1000 - n, 'FM0000'), seq, '\\x00',
              now() - interval '1 day' + n * interval '1 minute' + seq * interval '1 hour'
       FROM generate_series(1, 600) AS n, generate_series(1, 2) AS seq`,
    );
    start(20);
    await expectAllPublished();
    const { rows } = await database.pool.query<{ id: string; hour: number }>(
      `SELECT aggregate_id || '/' || aggregate_seq AS id, extract(epoch FROM now() - occurred_at)::float8 / 3600 AS hour FROM outbox`,
    );
    const ageOf = new Map(rows.map(({ id, hour }) => [id, hour]));
    const ages = batches.map((batch) => Math.max(...batch.map((id) => ageOf.get(id) ?? 0)));
    // Each look tries a random half of the slots: that one is passed by twenty times in a row does not happen.
    for (let n = 20; n < ages.length; n += 1) expect(ages[n]).toBeLessThan((ages[n - 20] ?? 0) + 0.01);
    expect(batches.flat()).toHaveLength(1_200);
    for (const aggregate of new Set(batches.flat().map((id) => id.split('/')[0])))
      expect(batches.flat().filter((id) => id.startsWith(`${aggregate}/`))).toEqual([
        `${aggregate}/1`,
        `${aggregate}/2`,
      ]);
  });

  it('when what is due is older than a glance sees, and more comes than one look sees, then the oldest is published all the same', async () => {
    const append = (events: number): Promise<unknown> =>
      database.pool.query(
        `SELECT outbox_append('t', 'T', 'a-' || n % 4, '\\x00') FROM generate_series(1, $1::integer) AS n`,
        [events],
      );
    start(50);
    // Its first look was at everything, and found nothing.
    await append(4);
    await expectAllPublished();
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `SELECT outbox_append('t', 'T', 'a-' || n % 4, '\\x00') FROM generate_series(1, 4) AS n`,
    );
    await client.query(
      `UPDATE outbox SET occurred_at = now() - interval '10 seconds' WHERE aggregate_seq = 2`,
    );
    await client.query(
      `SELECT outbox_append('t', 'T', 'a-' || n % 4, '\\x00') FROM generate_series(1, 400) AS n`,
    );
    await client.query('COMMIT');
    client.release();
    await eventually(
      async () => {
        await append(40);
        expect(batches.flat()).toEqual(expect.arrayContaining(['a-0/2', 'a-1/2', 'a-2/2', 'a-3/2']));
      },
      { timeoutMs: 20_000 },
    );
  });

  it('when one aggregate has a large backlog that is older than all else, then the others do not wait for its end', async () => {
    await database.pool.query(
      `SELECT outbox_append('t', 'T', 'heavy', '\\x00') FROM generate_series(1, 3000)`,
    );
    await database.pool.query(
      `SELECT outbox_append('t', 'T', 'light-' || n, '\\x00') FROM generate_series(1, 40) AS n`,
    );
    start(50);
    await expectAllPublished();
    const sent = batches.flat();
    const lastLight = sent.findLastIndex((id) => id.startsWith('light'));
    expect(sent.slice(0, lastLight).filter((id) => id.startsWith('heavy')).length).toBeLessThan(600);
    expect(sent.filter((id) => id.startsWith('heavy'))).toEqual(
      Array.from({ length: 3_000 }, (_, n) => `heavy/${n + 1}`),
    );
  });

  it('when the clock went back between two events of an aggregate, then they go in their order all the same', async () => {
    await database.pool.query(
      `INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, occurred_at)
       SELECT uuidv7(), 't', 'T', 'a-' || n % 30, 1 + n / 30, '\\x00', now() - (n / 30) * interval '1 minute' FROM generate_series(0, 299) AS n`,
    );
    start(7);
    await expectAllPublished();
    for (let n = 0; n < 30; n += 1)
      expect(batches.flat().filter((id) => id.startsWith(`a-${n}/`))).toEqual(
        Array.from({ length: 10 }, (_, seq) => `a-${n}/${seq + 1}`),
      );
  });
});

describe('where a relay looks', () => {
  it('when time passes and nothing comes, then most looks see seconds, one a second minutes, and one in 30 s everything', () => {
    let now = 0;
    const cursor = new OutboxCursor(() => now);
    const seen = new Map<string, number>();
    for (; now < 60_000; now += 100) {
      const { ago } = cursor.look();
      seen.set(ago ?? 'everything', (seen.get(ago ?? 'everything') ?? 0) + 1);
      cursor.sawNothing();
    }
    expect(Object.fromEntries(seen)).toEqual({ everything: 2, '2 minutes': 60, '5 seconds': 538 });
  });

  it('when an event is committed minutes after it was written, then a look at everything finds it', () => {
    let now = 0;
    const cursor = new OutboxCursor(() => now);
    cursor.look();
    cursor.sawNothing();
    now = 29_999;
    expect(cursor.look().ago).not.toBeNull();
    now = 30_001;
    expect(cursor.look()).toMatchObject({ from: null, ago: null });
  });
});
