// One process of the storm: a producer, a relay or a consumer, as ROLE says. It goes on through every fault until it is
// killed, or its parent is gone.
import { setTimeout as pause } from 'node:timers/promises';
import { createPool, withTransaction } from '@reseller/database';
import { InvalidEventError } from '@reseller/errors';
import { pino } from 'pino';
import {
  appendToOutbox,
  createOutboxRelay,
  createPostgresEventBus,
  handleOnce,
  type DomainEvent,
  type EventBus,
} from '../../src';
import { createRandom, type Random } from './random';
import { DeadLetters } from '../../src/dead-letters/dead-letters';
import { AGGREGATES, LEASE_MS, POISON, TOPIC } from './plan';

const env = (name: string): string => process.env[name] ?? '';
const log = pino({ level: 'silent' });

function openPool(url: string): ReturnType<typeof createPool> {
  return createPool({ connectionString: url, max: 3, name: `storm-${env('ROLE')}`, log });
}

function openBus(): EventBus {
  return createPostgresEventBus({ connectionString: env('BUS_URL'), log, partitions: 4, leaseMs: LEASE_MS });
}

function produce(): void {
  const pool = openPool(env('SOURCE_URL'));
  for (let writer = 0; writer < 3; writer += 1) void write(pool, createRandom(`${env('SEED')}/${writer}`));
}

/** Writes facts, each in one transaction with the event about it; its 20th and one in 400 are poison. */
async function write(pool: ReturnType<typeof openPool>, random: Random): Promise<never> {
  for (let count = 1; ; count += 1) {
    const aggregateId = `aggregate-${random.below(AGGREGATES)}`;
    const payload = Buffer.from(count === 20 || random.below(400) === 0 ? POISON : String(count));
    try {
      await withTransaction(
        pool,
        async (tx) => {
          const eventId = await appendToOutbox(tx, { topic: TOPIC, type: 'Fact', aggregateId, payload });
          await tx.query('INSERT INTO fact (event_id) VALUES ($1)', [eventId]);
        },
        { attempts: 1 },
      );
    } catch {
      // The database went away; the tables say whether that transaction was committed.
      await pause(50);
    }
    await pause(random.below(12));
  }
}

function relay(): void {
  createOutboxRelay({ connectionString: env('SOURCE_URL'), bus: openBus(), log, batchSize: 50 });
}

/** Writes down each event once, in the transaction that marks it as handled. */
function consume(): void {
  const pool = openPool(env('SINK_URL'));
  const consumer = env('GROUP');
  const apply = async (events: DomainEvent[]): Promise<void> => {
    await withTransaction(pool, async (tx) => {
      for (const event of events) {
        if (String(event.payload) === POISON) throw new InvalidEventError('Undecodable', 'cannot be read');
        await handleOnce(tx, { consumer, event }, async () => {
          await tx.query(
            'INSERT INTO effect (consumer, event_id, aggregate_id, aggregate_seq) VALUES ($1, $2, $3, $4)',
            [consumer, event.eventId, event.aggregateId, event.aggregateSeq],
          );
        });
      }
    });
  };
  openBus().subscribe({
    group: consumer,
    topics: [TOPIC],
    batchSize: 20,
    handler: apply,
    deadLetters: new DeadLetters({ pool, consumers: [], log }),
    backoff: { firstMs: 10, mostMs: 200 },
  });
}

process.on('disconnect', () => process.exit(0));
const roles: Record<string, () => unknown> = { producer: produce, relay, consumer: consume };
roles[env('ROLE')]?.();
process.send?.('at work');
