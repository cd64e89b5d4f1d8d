import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import type { DomainEvent } from '../src/domain-event';
import type { EventBus, Stoppable } from '../src/event-bus';
import { EventRefusedError } from '../src/event-refused-error';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus';
import { appendToOutbox } from '../src/outbox';
import { createOutboxRelay } from '../src/outbox-relay';
import { anEvent } from './event-bus.contract';
import { missing, ownPrefix, sharedUrl } from './kafka-support';

const TABLES = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');
/** Over the 4 MiB that a topic of ours takes (docs/platform/event-bus.md). */
const TOO_LARGE = Buffer.alloc(5 * 1024 * 1024, 1);
/** No broker has a topic of this name. */
const INVALID_TOPIC = 'no topic!';
const TOPIC = anEvent('a', 1).topic;

describeWith(missing, 'events that a Kafka broker refuses', () => {
  let bus: EventBus;
  let database: TestDatabase;
  let relay: Stoppable | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(TABLES);
    bus = createKafkaEventBus({
      url: sharedUrl,
      clientId: 'test',
      prefix: ownPrefix(),
      log: silentLog,
      partitions: 2,
    });
  });
  afterEach(async () => {
    await relay?.stop();
    await bus.close();
    await database.drop();
  });

  it.each<[what: string, event: DomainEvent]>([
    ['is too large', { ...anEvent('a', 1), payload: TOO_LARGE }],
    ['has an impossible topic', { ...anEvent('a', 1), topic: INVALID_TOPIC }],
  ])(
    'when an event %s, then publishing it is refused for good, and the next publish succeeds',
    async (_, event) => {
      await bus.publish([anEvent('z', 1)]);
      await expect(bus.publish([event])).rejects.toBeInstanceOf(EventRefusedError);
      await bus.publish([anEvent('b', 1)]);
    },
  );

  it('when such events are among others in an outbox, then they are parked with what follows them, and all others arrive', async () => {
    const append = (aggregateId: string, more: { topic?: string; payload?: Buffer } = {}): Promise<unknown> =>
      appendToOutbox(database.pool, { topic: TOPIC, type: 'T', aggregateId, payload: Buffer.of(1), ...more });
    const got: string[] = [];
    bus.subscribe({
      group: 'g',
      topics: [TOPIC],
      handler: async (events) => {
        got.push(...events.map(({ aggregateId, aggregateSeq }) => `${aggregateId}/${aggregateSeq}`));
      },
    });
    await append('a');
    await append('a', { payload: TOO_LARGE });
    await append('a');
    await append('b');
    await append('c', { topic: INVALID_TOPIC });
    await append('d');
    relay = createOutboxRelay({ connectionString: database.url, bus, log: silentLog });
    await eventually(async () => {
      const { rows } = await database.pool.query<{ id: string; isParked: boolean }>(
        `SELECT aggregate_id || '/' || aggregate_seq AS id, parked_reason IS NOT NULL AS "isParked"
         FROM outbox WHERE published_at IS NULL ORDER BY 1`,
      );
      expect(rows).toEqual([
        { id: 'a/2', isParked: true },
        { id: 'a/3', isParked: false },
        { id: 'c/1', isParked: true },
      ]);
    });
    // At least once: what went with a refused one may have gone already.
    await eventually(() => expect([...new Set(got)].sort()).toEqual(['a/1', 'b/1', 'd/1']));
  }, 120_000);
});
