import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sqlStateOf, withTransaction } from '@reseller/database';
import { InvalidEventError } from '@reseller/errors';
import { eventually as eventuallyWithin } from '@reseller/testing';
import type { DomainEvent } from '../src/domain-event';
import type { EventBus } from '../src/event-bus';
import { createDeadLetterDatabase, FAULTS } from './dead-letter-support';

/** What a transport gives to the contract; each case starts from a fresh one. */
interface BusHarness {
  /** Another client of the same bus, as another process would have. */
  makeBus(): EventBus;
  /** The same, by which a killed one's partitions are soon taken over, and one's own are lost where it stands still for as long. */
  makeHastyBus(): EventBus;
  /** Makes the client vanish without signing off, as SIGKILL does. */
  kill(bus: EventBus): Promise<void>;
  close(): Promise<void>;
}

const topic = 'reseller.test.thing.v1';

/** Makes an event for tests. */
export function anEvent(aggregateId: string, seq: number): DomainEvent {
  return {
    eventId: randomUUID(),
    topic,
    type: 'reseller.test.v1.ThingHappened',
    aggregateId,
    aggregateSeq: String(seq),
    occurredAt: new Date('2026-01-01T00:00:00.123Z'),
    payload: Buffer.from([0, 1, 255]),
    headers: { note: `number ${seq}` },
  };
}

/** Only an upper bound: on a busy machine a group's first member takes its seconds. */
const eventually: typeof eventuallyWithin = (check, options) => eventuallyWithin(check, { ...options });
const idsOf = (events: DomainEvent[]): string[] => events.map((event) => event.eventId);
const sorted = (ids: string[]): string[] => [...ids].sort();
const series = (key: string, count: number): DomainEvent[] =>
  Array.from({ length: count }, (_, index) => anEvent(key, index + 1));

/** What every transport of the event bus must hold to. */
export function eventBusContract(name: string, makeHarness: () => Promise<BusHarness>): void {
  describe(`event bus contract: ${name}`, () => {
    let harness: BusHarness;
    const buses: EventBus[] = [];
    const open = (make = harness.makeBus): EventBus => {
      const bus = make();
      buses.push(bus);
      return bus;
    };

    beforeEach(async () => {
      harness = await makeHarness();
    });

    afterEach(async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()));
      await harness.close();
    });

    it('when an event is published, then each group gets it unchanged', async () => {
      const bus = open();
      const got: Record<string, DomainEvent[]> = { one: [], two: [] };
      for (const group of ['one', 'two']) {
        bus.subscribe({
          group,
          topics: [topic],
          handler: async (events) => void got[group]?.push(...events),
        });
      }
      const event = anEvent('a', 1);
      await bus.publish([event]);
      await eventually(() => expect(got).toEqual({ one: [event], two: [event] }));
    });

    it('when a group subscribes late, then it begins with the oldest event', async () => {
      const bus = open();
      const events = series('a', 5);
      await bus.publish(events);
      const got: string[] = [];
      bus.subscribe({
        group: 'late',
        topics: [topic],
        handler: async (batch) => void got.push(...idsOf(batch)),
      });
      await eventually(() => expect(got).toEqual(idsOf(events)));
    });

    it('when publishers work at once, then nothing is lost and each key keeps its order', async () => {
      const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
      const [bus, other] = [open(), open()];
      const got = new Map<string, string[]>();
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => {
          for (const event of batch) {
            got.set(event.aggregateId, [...(got.get(event.aggregateId) ?? []), event.aggregateSeq]);
          }
        },
      });
      const publishAll = async (key: string, index: number): Promise<void> => {
        for (const event of series(key, 40)) await (index % 2 ? bus : other).publish([event]);
      };
      await Promise.all(keys.map(publishAll));
      const expected = Array.from({ length: 40 }, (_, index) => String(index + 1));
      await eventually(() => expect(got).toEqual(new Map(keys.map((key) => [key, expected]))));
    });

    it('when events are published again, also at once, then none is lost and each comes for the first time in order', async () => {
      const [bus, other] = [open(), open()];
      const events = series('a', 20);
      const got: string[] = [];
      await bus.publish(events);
      await Promise.all([bus.publish(events), other.publish(events), bus.publish([...events, ...events])]);
      const last = anEvent('a', 21);
      await bus.publish([last]);
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => void got.push(...idsOf(batch)),
      });
      await eventually(() => expect(got).toContain(last.eventId));
      expect([...new Set(got)]).toEqual(idsOf([...events, last]));
    });

    it('when the handler rejects, then the same events come again and none is skipped', async () => {
      const bus = open();
      const events = series('a', 6);
      const done: string[] = [];
      let failures = 0;
      await bus.publish(events);
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => {
          if (failures < 2) {
            failures += 1;
            throw new Error('not now');
          }
          done.push(...idsOf(batch));
        },
      });
      await eventually(() => expect(done).toEqual(idsOf(events)));
    });

    it('when a batch has failed, then its events come one by one, and those behind it in batches again', async () => {
      const bus = open();
      const events = series('a', 60);
      const sizes: number[] = [];
      let hasFailed = false;
      await bus.publish(events);
      bus.subscribe({
        group: 'g',
        topics: [topic],
        batchSize: 10,
        handler: async (batch) => {
          if (hasFailed) sizes.push(batch.length);
          else {
            hasFailed = true;
            throw new Error('not now');
          }
        },
      });
      const total = (): number => sizes.reduce((sum, size) => sum + size, 0);
      await eventually(() => expect(total()).toBe(60));
      expect(sizes.slice(0, 10)).toEqual(Array(10).fill(1));
      expect(Math.max(...sizes.slice(10))).toBeGreaterThan(1);
    });

    it('when one event is invalid, then it is a dead letter once and the rest goes on', async () => {
      const bus = open();
      const service = await createDeadLetterDatabase();
      const events = series('a', 9);
      const poison = events[4] as DomainEvent;
      const done: string[] = [];
      const handler = async (batch: DomainEvent[]): Promise<void> => {
        if (idsOf(batch).includes(poison.eventId))
          throw new InvalidEventError('Undecodable', 'the payload is no Thing');
        done.push(...idsOf(batch));
      };
      await bus.publish(events);
      bus.subscribe({ group: 'g', topics: [topic], handler, deadLetters: service.deadLetters });
      await eventually(() => expect(done).toEqual(idsOf(events.filter((event) => event !== poison))));
      const { deadLetters } = await service.deadLetters.repository.list({}, { offset: 0, limit: 10 });
      expect(deadLetters).toMatchObject([
        {
          event: poison,
          group: 'g',
          reason: 'Undecodable',
          message: 'the payload is no Thing',
          state: 'Waiting',
        },
      ]);
      await service.drop();
    });

    it('when what is wrong is not the event, then its partition waits and goes on, with nothing lost and in order', async () => {
      const bus = open();
      const service = await createDeadLetterDatabase();
      await service.pool.query('CREATE TABLE effect (ord serial, seq text)');
      const failing = new Map(FAULTS.map((fault, index) => [String(index + 1), { fault, times: 3 }]));
      const states: unknown[] = [];
      const handle = (event: DomainEvent): Promise<void> =>
        withTransaction(service.pool, async (tx) => {
          const failure = failing.get(event.aggregateSeq);
          if (failure && failure.times > 0) {
            failure.times -= 1;
            await failure.fault(tx);
          }
          await tx.query('INSERT INTO effect (seq) VALUES ($1)', [event.aggregateSeq]);
        }).catch((error: unknown) => {
          states.push(sqlStateOf(error));
          throw error;
        });
      bus.subscribe({
        group: 'g',
        topics: [topic],
        batchSize: 1,
        handler: async (batch) => void (await Promise.all(batch.map(handle))),
        deadLetters: service.deadLetters,
        maxProcessEnds: 1,
        backoff: { firstMs: 5, mostMs: 20 },
      });
      const events = series('a', FAULTS.length + 1);
      await bus.publish(events);
      await eventually(async () => {
        const { rows } = await service.pool.query('SELECT seq FROM effect ORDER BY ord');
        expect(rows.map(({ seq }) => seq)).toEqual(events.map(({ aggregateSeq }) => aggregateSeq));
      });
      expect(new Set(states)).toEqual(new Set(['53100', '53200', '25006', '57014', '42703', undefined]));
      const { totalCount } = await service.deadLetters.repository.list({}, { offset: 0, limit: 0 });
      expect(totalCount).toBe(0);
      await service.drop();
    });

    it('when two consumers share a group, then both work and each event is handled', async () => {
      const [bus, other] = [open(), open()];
      const got: [string[], string[]] = [[], []];
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => void got[0].push(...idsOf(batch)),
      });
      const sent: string[] = [];
      const publishSome = async (): Promise<void> => {
        const events = Array.from({ length: 20 }, (_, index) => anEvent(`key-${index}`, 1));
        await bus.publish(events);
        sent.push(...idsOf(events));
      };
      await publishSome();
      await eventually(() => expect(got[0]).toHaveLength(20));
      other.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => void got[1].push(...idsOf(batch)),
      });
      const bothWork = async (): Promise<void> => {
        await publishSome();
        expect(got[1].length).toBeGreaterThan(0);
      };
      await eventually(bothWork, { intervalMs: 100 });
      await eventually(() => expect(sorted([...new Set(got.flat())])).toEqual(sorted(sent)));
    });

    it('when a consumer is killed while it handles, then another takes its partitions over and repeats what was open', async () => {
      const [bus, victim] = [open(harness.makeHastyBus), harness.makeHastyBus()];
      const events = Array.from({ length: 20 }, (_, index) => anEvent(`key-${index}`, 1));
      let begun = 0;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      victim.subscribe({
        group: 'g',
        topics: [topic],
        handler: () => {
          begun += 1;
          return held;
        },
      });
      await bus.publish(events);
      await eventually(() => expect(begun).toBeGreaterThan(0));
      await harness.kill(victim);
      const got: string[] = [];
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => void got.push(...idsOf(batch)),
      });
      await eventually(() => expect(sorted([...new Set(got)])).toEqual(sorted(idsOf(events))));
      release();
    });
  });
}
