import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createTestDatabase,
  eventually,
  silentLog as quiet,
  startKafka,
  type TestKafka,
} from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { pino } from 'pino';
import type { EventBus } from '../src/event-bus';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus';
import { appendToOutbox } from '../src/outbox';
import { createOutboxRelay } from '../src/outbox-relay';
import { anEvent } from './event-bus.contract';
import { asAdmin, missing } from './kafka-support';

/** Some seconds in CI; KAFKA_DOWN_SECONDS makes it longer. */
const DOWN_SECONDS = Number(process.env['KAFKA_DOWN_SECONDS'] ?? 3);
const silentLog = process.env['KAFKA_TEST_LOG'] ? pino({}, pino.destination(2)) : quiet;
const TOPIC = anEvent('a', 1).topic;
const TABLES = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');

describeWith(missing, 'a Kafka broker that goes away', () => {
  let kafka: TestKafka;
  const open = (publishTimeoutMs = 5_000): EventBus =>
    createKafkaEventBus({
      url: `kafka://${kafka.brokers}`,
      clientId: 'test',
      log: silentLog,
      partitions: 4,
      sessionTimeoutMs: 3_000,
      publishTimeoutMs,
    });
  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka.remove());

  /** A bus of a process that starts while the broker is away. */
  function openWhileAway() {
    const bus = open(1_000);
    const event = { ...anEvent('a', 1), topic: 'reseller.test.late.v1' };
    const got: string[] = [];
    const handler = async (events: { eventId: string }[]): Promise<void> =>
      void got.push(...events.map(({ eventId }) => eventId));
    bus.subscribe({ group: 'late', topics: [event.topic], handler });
    const rejects = async (): Promise<void> => {
      const began = performance.now();
      await expect(bus.publish([event])).rejects.toThrow();
      expect(performance.now() - began).toBeLessThan(11_000);
    };
    const goesOn = async (): Promise<void> => {
      await eventually(() => bus.publish([event]));
      await eventually(() => expect(got).toContain(event.eventId));
      await bus.close();
    };
    return { rejects, goesOn };
  }

  it(
    `when it is killed while events are published and is away for ${DOWN_SECONDS} s, then none is lost and each aggregate keeps its order, and who starts meanwhile is rejected in time and goes on once it is back`,
    async () => {
      const database = await createTestDatabase();
      await database.pool.query(TABLES);
      const [publishing, consuming] = [open(), open()];
      const relay = createOutboxRelay({ connectionString: database.url, bus: publishing, log: silentLog });
      const got = new Map<string, number[]>();
      consuming.subscribe({
        group: 'g',
        topics: [TOPIC],
        handler: async (events) => {
          for (const { aggregateId, aggregateSeq } of events)
            got.set(aggregateId, [...(got.get(aggregateId) ?? []), Number(aggregateSeq)]);
        },
      });
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
      const appended = new Map<string, number>();
      let isOver = false;
      const appending = keys.map(async (aggregateId) => {
        while (!isOver) {
          await appendToOutbox(database.pool, {
            topic: TOPIC,
            type: 'T',
            aggregateId,
            payload: Buffer.of(1),
          });
          appended.set(aggregateId, (appended.get(aggregateId) ?? 0) + 1);
          await pause(50);
        }
      });
      await eventually(() => expect(got.size).toBe(keys.length));
      await kafka.kill();
      const late = openWhileAway();
      await Promise.all([late.rejects(), pause(DOWN_SECONDS * 1_000)]);
      const atReturn = [...got.values()].flat().length;
      await kafka.start();
      await late.goesOn();
      await eventually(() => expect([...got.values()].flat().length).toBeGreaterThan(atReturn + 100));
      isOver = true;
      await Promise.all(appending);
      await eventually(
        () => {
          for (const key of keys) {
            const all = Array.from({ length: appended.get(key) ?? 0 }, (_, index) => index + 1);
            // Some may come again; for the first time each comes in its turn.
            expect([...new Set(got.get(key))]).toEqual(all);
          }
        },
        { timeoutMs: 30_000 + DOWN_SECONDS * 2_000 },
      );
      // What it had before it was killed is still there.
      const kept = await asAdmin(`kafka://${kafka.brokers}`, (admin) => admin.fetchTopicOffsets(TOPIC));
      const all = [...appended.values()].reduce((sum, events) => sum + events, 0);
      expect(kept.reduce((sum, { high }) => sum + Number(high), 0)).toBeGreaterThanOrEqual(all);
      await relay.stop();
      await Promise.all([publishing.close(), consuming.close()]);
      await database.drop();
    },
    180_000 + DOWN_SECONDS * 3_000,
  );
});
