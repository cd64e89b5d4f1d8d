import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { runAddPartitionsCommand } from '../src/add-partitions-command';
import type { EventBus, Stoppable } from '../src/event-bus';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus';
import { appendToOutbox } from '../src/outbox';
import { createOutboxRelay } from '../src/outbox-relay';
import { anEvent } from './event-bus.contract';
import { asAdmin, missing, ownPrefix, sharedUrl } from './kafka-support';

const TOPIC = anEvent('a', 1).topic;
const TABLES = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');
const KEYS = Array.from({ length: 12 }, (_, at) => `aggregate-${at}`);

describeWith(missing, 'partitions that are added to a topic', () => {
  let prefix: string;
  let database: TestDatabase;
  let running: Stoppable[];
  const open = (): EventBus => {
    const bus = createKafkaEventBus({
      url: sharedUrl,
      clientId: 'test',
      log: silentLog,
      prefix,
      partitions: 2,
    });
    running.unshift({ stop: () => bus.close() });
    return bus;
  };
  const partitions = (): Promise<number> =>
    asAdmin(sharedUrl, async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [`${prefix}${TOPIC}`] });
      return topics[0]?.partitions.length ?? 0;
    });
  /** Events that no relay has published, and how many Kafka has. */
  const standing = async (): Promise<{ unpublished: number; onKafka: number }> => {
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL',
    );
    const ends = await asAdmin(sharedUrl, (admin) => admin.fetchTopicOffsets(`${prefix}${TOPIC}`));
    return { unpublished: rows[0]?.n ?? 0, onKafka: ends.reduce((sum, { high }) => sum + Number(high), 0) };
  };
  const addPartitions = async (count: number): Promise<{ code: number; lines: string[] }> => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const code = await runAddPartitionsCommand({
      name: 'test',
      args: ['--topic', TOPIC, '--partitions', String(count)],
      env: {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        EVENT_BUS_URL: sharedUrl,
        KAFKA_TOPIC_PREFIX: prefix,
      },
      say,
      complain: say,
    });
    return { code, lines };
  };

  beforeEach(async () => {
    prefix = ownPrefix();
    running = [];
    database = await createTestDatabase();
    await database.pool.query(TABLES);
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    await database.drop();
  });

  it('when it happens while two relays publish and a group is behind, then each aggregate keeps its order', async () => {
    const got = new Map<string, Set<number>>();
    // Behind by a second and more: what overtakes is seen.
    for (const consuming of [open(), open()])
      running.unshift(
        consuming.subscribe({
          group: 'slow',
          topics: [TOPIC],
          batchSize: 20,
          handler: async (events) => {
            await pause(100);
            for (const { aggregateId, aggregateSeq } of events)
              got.set(aggregateId, (got.get(aggregateId) ?? new Set()).add(Number(aggregateSeq)));
          },
        }),
      );
    for (const bus of [open(), open()])
      running.unshift(createOutboxRelay({ connectionString: database.url, bus, log: silentLog }));
    const appended = new Map<string, number>();
    let isOver = false;
    const appending = KEYS.map(async (aggregateId) => {
      while (!isOver) {
        await appendToOutbox(database.pool, { topic: TOPIC, type: 'T', aggregateId, payload: Buffer.of(1) });
        appended.set(aggregateId, (appended.get(aggregateId) ?? 0) + 1);
        await pause(25);
      }
    });
    const count = (): number => [...got.values()].reduce((sum, { size }) => sum + size, 0);
    await eventually(() => expect(count()).toBeGreaterThan(100), { timeoutMs: 30_000 });

    const { code, lines } = await addPartitions(8);
    expect({ code, lines }).toMatchObject({ code: 0 });
    expect(await partitions()).toBe(8);
    const after = count();
    // Where it does not, this says on which side the events are.
    await eventually(
      async () => {
        const goesOn = count() > after + 500;
        expect({ goesOn, ...(goesOn ? {} : await standing()) }).toEqual({ goesOn: true });
      },
      { timeoutMs: 60_000 },
    );
    isOver = true;
    await Promise.all(appending);
    await eventually(
      () => {
        for (const key of KEYS)
          expect([...(got.get(key) ?? [])]).toEqual(
            Array.from({ length: appended.get(key) ?? 0 }, (_, at) => at + 1),
          );
      },
      { timeoutMs: 60_000 },
    );
  }, 240_000);

  it('when the topic has as many already, then it says so and changes nothing', async () => {
    await open().publish([anEvent('a', 1)]);
    expect(await addPartitions(2)).toEqual({
      code: 1,
      lines: [`test: ${prefix}${TOPIC} has 2 partitions, and Kafka takes none away`],
    });
  });
});
