import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { ConfigResourceTypes, type Admin } from 'kafkajs';
import { Registry } from 'prom-client';
import type { EventBus } from '../src/event-bus';
import { handleOnce } from '../src/inbox';
import { createKafkaEventBus, type KafkaEventBusOptions } from '../src/kafka/kafka-event-bus';
import { anEvent } from './event-bus.contract';
import { asAdmin, keepingLog, missing, ownPrefix, sharedUrl } from './kafka-support';

const TOPIC = anEvent('a', 1).topic;
const OTHER = 'reseller.test.other.v1';
const TABLES = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');
const patience = { intervalMs: 50 };

describeWith(missing, 'groups on Kafka', () => {
  let prefix: string;
  let buses: EventBus[];
  const open = (options: Partial<KafkaEventBusOptions> = {}): EventBus => {
    const shared = { url: sharedUrl, clientId: 'test', log: silentLog, prefix, sessionTimeoutMs: 3_000 };
    const bus = createKafkaEventBus({ ...shared, ...options });
    buses.push(bus);
    return bus;
  };
  beforeEach(() => {
    prefix = ownPrefix();
    buses = [];
  });
  afterEach(() => Promise.all(buses.map((bus) => bus.close())), 30_000);

  const offsetsOf = (group: string): Promise<string[]> =>
    asAdmin(sharedUrl, async (admin) => {
      const topics = [`${prefix}${TOPIC}`];
      const found = await admin.fetchOffsets({ groupId: `${prefix}${group}`, topics });
      return found.flatMap(({ partitions }) => partitions.map(({ offset }) => offset));
    });

  it('when members come and go, then each event has its effect once and in order, and each member owns its share', async () => {
    const database = await createTestDatabase();
    await database.pool.query(TABLES);
    await database.pool.query(
      'CREATE TABLE effect (ord bigserial, aggregate_id text, seq int, event_id uuid)',
    );
    const join = (): { bus: EventBus; owned: () => Promise<number[]> } => {
      const metrics = new Registry();
      const bus = open({ metrics });
      bus.subscribe({
        group: 'g',
        topics: [TOPIC, OTHER],
        batchSize: 5,
        handler: (events) =>
          withTransaction(database.pool, async (tx) => {
            for (const event of events)
              await handleOnce(tx, { consumer: 'g', event }, async () => {
                const values = [event.aggregateId, Number(event.aggregateSeq), event.eventId];
                await tx.query(
                  'INSERT INTO effect (aggregate_id, seq, event_id) VALUES ($1, $2, $3)',
                  values,
                );
              });
          }),
      });
      const owned = async (): Promise<number[]> =>
        ((await metrics.getSingleMetric('event_bus_partitions_owned')?.get())?.values ?? []).map(
          ({ value }) => value,
        );
      return { bus, owned };
    };
    const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
    const publisher = open();
    let isOver = false;
    let seq = 0;
    const producing = (async () => {
      while (!isOver) {
        seq += 1;
        const events = keys.map((key) => ({ ...anEvent(key, seq), topic: key > 'key-4' ? OTHER : TOPIC }));
        await publisher.publish(events);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    const first = join();
    await eventually(async () => expect(await first.owned()).toEqual([12, 12]), patience);
    const second = join();
    for (const { owned } of [first, second])
      await eventually(async () => expect(await owned()).toEqual([6, 6]), patience);
    const third = join();
    for (const { owned } of [first, second, third])
      await eventually(async () => expect(await owned()).toEqual([4, 4]), patience);
    await first.bus.close();
    for (const { owned } of [second, third])
      await eventually(async () => expect(await owned()).toEqual([6, 6]), patience);
    isOver = true;
    await producing;
    const all = Array.from({ length: seq }, (_, index) => index + 1);
    await eventually(async () => {
      const { rows } = await database.pool.query<{ key: string; seqs: number[] }>(
        'SELECT aggregate_id AS key, array_agg(seq ORDER BY ord) AS seqs FROM effect GROUP BY 1 ORDER BY 1',
      );
      expect(rows).toEqual(keys.map((key) => ({ key, seqs: all })));
    }, patience);
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await database.drop();
  }, 120_000);

  it('when a handler ends after its partition has gone to another member, then it commits nothing, and its member has not stopped before', async () => {
    const [slow, other, publisher] = [
      open({ partitions: 2 }),
      open({ partitions: 2 }),
      open({ partitions: 2 }),
    ];
    const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
    await publisher.publish(keys.map((key) => anEvent(key, 1)));
    const held = new Map<string, () => void>();
    const seen = new Set<string>();
    slow.subscribe({
      group: 'g',
      topics: [TOPIC],
      batchSize: 1,
      handler: ([event]) => new Promise<void>((resolve) => held.set(event?.aggregateId ?? '', resolve)),
    });
    await eventually(() => expect(held.size).toBe(2), patience);
    other.subscribe({
      group: 'g',
      topics: [TOPIC],
      handler: async (events) => events.forEach(({ aggregateId }) => seen.add(aggregateId)),
    });
    // The rebalance gives each member one of the partitions.
    await eventually(() => expect(seen.size).toBeGreaterThan(0), patience);
    let hasLeft = false;
    const leaving = slow.close().then(() => (hasLeft = true));
    for (const [key, release] of held) if (!seen.has(key)) release();
    await eventually(() => expect([...seen].sort()).toEqual([...keys].sort()), patience);
    expect(hasLeft).toBe(false);
    for (const release of held.values()) release();
    await leaving;
    await eventually(async () => {
      const total = (await offsetsOf('g')).reduce((sum, offset) => sum + Number(offset), 0);
      expect(total).toBe(keys.length);
    }, patience);
  });

  it('when the consumer crashes in a way that kafkajs does not recover from, then it is replaced and goes on', async () => {
    const log = keepingLog();
    const bus = open({ log: log as KafkaEventBusOptions['log'] });
    const got: string[] = [];
    bus.subscribe({
      group: 'g',
      topics: [TOPIC],
      handler: async (events) => void got.push(...events.map(({ headers }) => headers['note'] ?? '')),
    });
    await bus.publish([anEvent('a', 1)]);
    await eventually(() => expect(got).toEqual(['number 1']), patience);
    await asAdmin(sharedUrl, (admin) => admin.deleteTopics({ topics: [`${prefix}${TOPIC}`] }));
    await eventually(
      () => expect(log.lines.map(({ text }) => text)).toContain('the event bus failed and is tried again'),
      patience,
    );
    await eventually(() => bus.publish([anEvent('a', 2)]), patience);
    await eventually(() => expect(got).toContain('number 2'), patience);
  });

  it('when a topic is new, then it is made as planned', async () => {
    const bus = open();
    await bus.publish([anEvent('a', 1)]);
    bus.subscribe({ group: 'g', topics: [TOPIC], handler: () => Promise.resolve() });
    const name = `${prefix}${TOPIC}`;
    await eventually(async () => {
      const { topics } = await asAdmin(sharedUrl, (admin) => admin.fetchTopicMetadata({ topics: [name] }));
      expect(topics.map(({ partitions }) => partitions.length)).toEqual([12]);
    }, patience);
    const configNames = ['cleanup.policy', 'message.timestamp.type', 'min.insync.replicas', 'retention.ms'];
    const { resources } = await asAdmin(sharedUrl, (admin) =>
      admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames }],
      }),
    );
    const values = resources[0]?.configEntries
      .sort((a, b) => a.configName.localeCompare(b.configName))
      .map(({ configValue }) => configValue);
    expect(values).toEqual(['delete', 'LogAppendTime', '1', String(7 * 86_400_000)]);
  });

  it('when a topic is there with fewer partitions, or made again with fewer, then that is said, and it is left as it is', async () => {
    const topic = `${prefix}${TOPIC}`;
    const log = keepingLog();
    const warnings = (): object[] =>
      log.lines.filter(({ level }) => level === 'warn').map(({ details }) => details);
    const make = (numPartitions: number) => (admin: Admin) =>
      eventually(() => admin.createTopics({ topics: [{ topic, numPartitions }] }));
    await asAdmin(sharedUrl, make(4));
    const bus = open({ log: log as KafkaEventBusOptions['log'], metrics: new Registry(), lagEveryMs: 100 });
    await bus.publish([anEvent('a', 1)]);
    expect(warnings()).toContainEqual({ topic, partitions: 4, wanted: 12 });
    bus.subscribe({ group: 'g', topics: [TOPIC], handler: () => Promise.resolve() });
    await eventually(async () => expect(await offsetsOf('g')).toContain('1'), patience);
    await asAdmin(sharedUrl, async (admin) => {
      await admin.deleteTopics({ topics: [topic] });
      await make(3)(admin);
    });
    await eventually(() => expect(warnings()).toContainEqual({ topic, partitions: 3, wanted: 12 }), patience);
    const { topics } = await asAdmin(sharedUrl, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    expect(topics[0]?.partitions).toHaveLength(3);
  });

  it('when a group is behind, then its lag shows, and goes back to nothing', async () => {
    const metrics = new Registry();
    const bus = open({ metrics, lagEveryMs: 200 });
    const valueOf = async (name: string): Promise<number | undefined> =>
      (await metrics.getSingleMetric(name)?.get())?.values[0]?.value;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    bus.subscribe({ group: 'g', topics: [TOPIC], handler: () => held });
    await bus.publish(Array.from({ length: 30 }, (_, index) => anEvent(`a-${index}`, 1)));
    await eventually(async () => expect(await valueOf('event_bus_group_lag_events')).toBe(30), patience);
    await eventually(
      async () => expect(await valueOf('event_bus_group_lag_seconds')).toBeGreaterThan(0),
      patience,
    );
    release();
    await eventually(async () => expect(await valueOf('event_bus_group_lag_events')).toBe(0), patience);
    await eventually(async () => expect(await valueOf('event_bus_group_lag_seconds')).toBe(0), patience);
    await eventually(async () => expect(await valueOf('event_bus_handled_total')).toBe(30), patience);
  });
});
