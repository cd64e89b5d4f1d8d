import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { createPostgresEventBus } from './postgres/postgres-event-bus';
import type { DomainEvent } from './domain-event';
import type { EventBus, Stoppable } from './event-bus';
import { EventRefusedError } from './event-refused-error';
import { createOutboxRelay } from './outbox-relay';
import { runParkedEventsCommand } from './parked-events-command';

/** A bus that never takes events of these types, in whichever batch they come. */
class PickyBus {
  readonly taken: DomainEvent[] = [];
  readonly refused = new Set<string>();

  async publish(events: DomainEvent[]): Promise<void> {
    if (events.some(({ type }) => this.refused.has(type))) throw new EventRefusedError('too large');
    this.taken.push(...events);
  }

  /** What it took first of each event, in order. */
  get firsts(): string[] {
    return [...new Set(this.taken.map(({ aggregateId, aggregateSeq }) => `${aggregateId}/${aggregateSeq}`))];
  }
}

describe('a relay whose bus refuses events for good', () => {
  let database: TestDatabase;
  let relays: Stoppable[];
  let bus: PickyBus;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(readFileSync(path.resolve(__dirname, '../sql/messaging.sql'), 'utf8'));
    relays = [];
    bus = new PickyBus();
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await database.drop();
  });

  const start = (on: Pick<EventBus, 'publish'> = bus): void => {
    relays.push(
      createOutboxRelay({ connectionString: database.url, bus: on, log: silentLog, batchSize: 20 }),
    );
  };
  const append = (aggregateId: string, type = 'Good', topic = 't'): Promise<unknown> =>
    database.pool.query(`SELECT outbox_append($1, $2, $3, '\\x00')`, [topic, type, aggregateId]);
  const read = async (condition: string): Promise<string[]> => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT aggregate_id || '/' || aggregate_seq AS id FROM outbox WHERE ${condition} ORDER BY 1`,
    );
    return rows.map(({ id }) => id);
  };
  const command = async (...args: string[]): Promise<{ code: number; lines: string[] }> => {
    const lines: string[] = [];
    const say = (line: string): number => lines.push(line);
    const env = { DATABASE_URL: database.url };
    const code = await runParkedEventsCommand({ name: 'finance', args, env, say, complain: say });
    return { code, lines };
  };
  const parkedId = async (): Promise<string> => {
    const { lines } = await command();
    expect(lines).toHaveLength(1);
    return (JSON.parse(lines[0] ?? '') as { eventId: string }).eventId;
  };

  it('when the command gets no id of an event, or two, then it says so in words', async () => {
    const id = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
    expect(await command('--skip', 'abc', '--as', 'Olga')).toEqual({
      code: 1,
      lines: ['finance: --skip must be the id of an event, not abc'],
    });
    expect(await command('--retry', id, '--skip', id, '--as', 'Olga')).toEqual({
      code: 1,
      lines: ['finance: give --retry or --skip, not both'],
    });
  });

  it('when one is refused, then it is parked, its aggregate waits behind it, and all others go on; after a retry all come in order', async () => {
    bus.refused.add('Bad');
    for (let n = 0; n < 8; n += 1) await append(`a-${n}`);
    await append('poisoned');
    await append('poisoned', 'Bad');
    await append('poisoned');
    for (let n = 0; n < 8; n += 1) await append(`b-${n}`);
    start();
    await eventually(async () =>
      expect(await read('published_at IS NULL AND parked_at IS NULL')).toEqual([]),
    );
    // One that comes later waits too.
    await append('poisoned');
    await append('c');
    await eventually(() => expect(bus.firsts).toContain('c/1'));
    await eventually(async () =>
      expect(await read('parked_at IS NOT NULL')).toEqual(['poisoned/2', 'poisoned/3', 'poisoned/4']),
    );
    expect(await read('parked_reason IS NOT NULL')).toEqual(['poisoned/2']);
    expect(bus.firsts).toHaveLength(18);

    const { lines } = await command();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ type: 'Bad', aggregateId: 'poisoned', reason: 'too large', behind: 2 }),
    ]);
    bus.refused.clear();
    expect((await command('--retry', await parkedId(), '--as', 'olga')).code).toBe(0);
    await eventually(async () => expect(await read('published_at IS NULL')).toEqual([]));
    expect(bus.firsts.filter((id) => id.startsWith('poisoned'))).toEqual(
      [1, 2, 3, 4].map((n) => `poisoned/${n}`),
    );
  });

  it('when a parked event is skipped, then it never goes, and what waits behind it does', async () => {
    bus.refused.add('Bad');
    await append('x', 'Bad');
    await append('x');
    start();
    await eventually(async () => expect(await read('parked_at IS NOT NULL')).toEqual(['x/1', 'x/2']));
    const eventId = await parkedId();
    expect(await command('--skip', eventId)).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('--as')],
    });
    const skip = ['--skip', eventId, '--as', 'olga'];
    expect((await command(...skip)).code).toBe(0);
    await eventually(() => expect(bus.firsts).toEqual(['x/2']));
    expect((await command(...skip)).code).toBe(3);
    expect(await read("parked_reason LIKE '%; given up by olga'")).toEqual(['x/1']);
  });

  it('when the bus refuses whatever comes, then that is no fault of the events: none is parked, and all go once it is mended', async () => {
    bus.refused.add('Good');
    for (let n = 0; n < 30; n += 1) await append(`a-${n}`);
    let failures = 0;
    const log = { ...silentLog, warn: () => (failures += 1) };
    relays.push(createOutboxRelay({ connectionString: database.url, bus, log, batchSize: 20 }));
    await eventually(() => expect(failures).toBeGreaterThan(1));
    expect(await read('parked_at IS NOT NULL')).toEqual([]);
    bus.refused.clear();
    await eventually(() => expect(bus.firsts).toHaveLength(30));
  });

  it('when the bus is PostgreSQL and an event does not fit its index, then that one is parked with the reason', async () => {
    const real = createPostgresEventBus({ connectionString: database.url, log: silentLog });
    try {
      await append(
        'long',
        'Good',
        Array.from({ length: 3_000 }, () => String.fromCharCode(97 + Math.random() * 26)).join(''),
      );
      await append('short');
      start(real);
      await eventually(async () => expect(await read('published_at IS NOT NULL')).toEqual(['short/1']));
      const { rows } = await database.pool.query(
        'SELECT parked_reason AS reason FROM outbox WHERE parked_at IS NOT NULL',
      );
      expect(rows).toEqual([{ reason: expect.stringContaining('exceeds btree version 4 maximum') }]);
    } finally {
      await Promise.all(relays.splice(0).map((relay) => relay.stop()));
      await real.close();
    }
  });
});
