import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { createPostgresEventBus, type EventBus } from '../src';
import { tendSegments } from '../src/postgres/segments';
import { anEvent } from './event-bus.contract';

const { topic } = anEvent('a', 1);
const KEEP_HOURS = 7;

describe('the segments of the event bus', () => {
  let database: TestDatabase;
  let bus: EventBus;

  beforeEach(async () => {
    database = await createTestDatabase();
    bus = createPostgresEventBus({ connectionString: database.url, log: silentLog, partitions: 2 });
  });

  afterEach(async () => {
    await bus.close();
    await database.drop();
  });

  const tend = (): Promise<void> => tendSegments({ pool: database.pool, log: silentLog }, KEEP_HOURS);
  const pass = (hours: number): Promise<unknown> =>
    database.pool.query(
      'UPDATE event_bus.segment SET begins_at = begins_at - make_interval(hours => $1::int)',
      [hours],
    );
  const segments = async (): Promise<number[]> => {
    const { rows } = await database.pool.query<{ segment: number }>(
      'SELECT segment FROM event_bus.segment ORDER BY 1',
    );
    return rows.map(({ segment }) => segment);
  };
  const offsets = async (): Promise<{ segment: number; offset: number }[]> =>
    (await database.pool.query('SELECT segment, "offset"::int FROM event_bus.log ORDER BY 2')).rows;
  const subscribe = (): number[] => {
    const got: number[] = [];
    bus.subscribe({
      group: 'g',
      topics: [topic],
      handler: async (some) => void got.push(...some.map(({ aggregateSeq }) => Number(aggregateSeq))),
    });
    return got;
  };
  const publish = (seq: number): Promise<void> => bus.publish([anEvent('a', seq)]);

  it('when a seventh of the time has passed, then events go to a new segment, and a group reads on across them', async () => {
    await publish(1);
    await tend();
    expect(await segments()).toEqual([0]);
    await pass(2);
    await tend();
    await publish(2);
    expect(await segments()).toEqual([0, 1]);
    expect(await offsets()).toEqual([
      { segment: 0, offset: 0 },
      { segment: 1, offset: 1 },
    ]);
    const got = subscribe();
    await eventually(() => expect(got).toEqual([1, 2]));
    await pass(2);
    await tend();
    await publish(3);
    await eventually(() => expect(got).toEqual([1, 2, 3]));
  });

  it('when the clock goes back, then later events stay behind earlier ones', async () => {
    await publish(1);
    await pass(2);
    await tend();
    await publish(2);
    await database.pool.query(
      "UPDATE event_bus.segment SET begins_at = now() + interval '1 hour' WHERE segment = 1",
    );
    await publish(3);
    const got = subscribe();
    await eventually(() => expect(got).toEqual([1, 2, 3]));
  });

  it('when the clock goes back to before the first segment, then events go to that one', async () => {
    await publish(1);
    await pass(-1);
    // Of every partition, also of one that has none yet.
    await bus.publish(['b', 'c', 'd', 'e', 'f', 'g'].map((aggregate) => anEvent(aggregate, 1)));
    expect(new Set((await offsets()).map(({ segment }) => segment))).toEqual(new Set([0]));
  });

  it('when a segment is past its time, then it goes once every group is past it, and offsets go on', async () => {
    await publish(1);
    await pass(2);
    await tend();
    const got = subscribe();
    await eventually(() => expect(got).toEqual([1]));
    const progress =
      'SELECT count(*)::int AS n FROM event_bus.group_progress WHERE committed_offset < next_offset';
    await eventually(async () => expect((await database.pool.query(progress)).rows).toEqual([{ n: 0 }]));
    await database.pool.query(
      "INSERT INTO event_bus.group_partition (group_name, topic, partition) SELECT 'slow', topic, partition FROM event_bus.partition_base",
    );
    await pass(KEEP_HOURS);
    await tend();
    expect((await segments())[0]).toBe(0);
    await database.pool.query("SELECT event_bus.retire_group('slow')");
    await tend();
    expect((await segments())[0]).not.toBe(0);
    expect(await offsets()).toEqual([]);
    await publish(2);
    await eventually(() => expect(got).toEqual([1, 2]));
    expect((await offsets())[0]?.offset).toBe(1);
  });

  it('when a dump has the log open, then events go on and new segments begin, and the old ones go after it', async () => {
    await publish(1);
    const got = subscribe();
    await eventually(() => expect(got).toEqual([1]));
    await pass(2);
    await tend();
    await pass(KEEP_HOURS + 1);
    const dump = await database.pool.connect();
    await dump.query('BEGIN');
    await dump.query('LOCK TABLE event_bus.log, event_bus.segment_0 IN ACCESS SHARE MODE');
    await tend();
    expect(await segments()).toEqual([0, 1, 2]);
    await publish(2);
    await eventually(() => expect(got).toEqual([1, 2]));
    await dump.query('COMMIT');
    dump.release();
    await tend();
    await eventually(async () => {
      await tend();
      expect((await segments())[0]).toBeGreaterThan(0);
    });
  });
});
