// From the commit of a change to the call of its handler, at a steady rate: 50 events a second for 30 seconds unless
// RATE and SECONDS say otherwise, on the PostgreSQL server of DATABASE_URL, whose databases bench_outbox and bench_bus it
// recreates, or on the Kafka of EVENT_BUS_URL. Producer, relay and consumer share this process; commits are durable as the server is set up.
//   esbuild libs/messaging/bench/relay-latency.ts --bundle --platform=node --packages=external --tsconfig=libs/messaging/tsconfig.json --outfile=libs/messaging/dist/bench.cjs
//   DATABASE_URL=postgresql://… node libs/messaging/dist/bench.cjs
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool, ensureDatabase } from '@reseller/database';
import { pino } from 'pino';
import { appendToOutbox, createEventBus, createOutboxRelay } from '../src';

const RATE = Number(process.env['RATE'] ?? 50);
const SECONDS = Number(process.env['SECONDS'] ?? 30);
const WARM_UP = RATE * 3;
const TOPIC = 'reseller.bench.latency.v1';
const log = pino({ level: 'warn' });

async function freshDatabase(name: string): Promise<string> {
  const url = new URL(process.env['DATABASE_URL'] ?? '');
  const admin = createPool({ connectionString: url.href, max: 1, name: 'bench', log });
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.end();
  url.pathname = `/${name}`;
  await ensureDatabase(url.href);
  return url.href;
}

async function main(): Promise<void> {
  const connectionString = await freshDatabase('bench_outbox');
  const pool = createPool({
    connectionString,
    max: 5,
    name: 'bench',
    log,
  });
  await pool.query(readFileSync('libs/messaging/sql/messaging.sql', 'utf8'));
  const url = process.env['EVENT_BUS_URL'] ?? (await freshDatabase('bench_bus'));
  const bus = await createEventBus({ url, clientId: 'bench', log });
  const relay = createOutboxRelay({ connectionString, writers: pool, bus, log });
  const committedAt = new Map<string, number>();
  const latencies: number[] = [];
  let handled = 0;
  bus.subscribe({
    group: 'bench',
    topics: [TOPIC],
    handler: async (events) => {
      const now = performance.now();
      for (const event of events) {
        const at = committedAt.get(event.eventId);
        handled += 1;
        // One that was handled before its commit even returned took no time that could be measured.
        if (handled > WARM_UP) latencies.push(at === undefined ? 0 : now - at);
      }
    },
  });
  const total = WARM_UP + RATE * SECONDS;
  const start = performance.now();
  for (let n = 0; n < total; n += 1) {
    await pause(Math.max(0, start + (n * 1_000) / RATE - performance.now()));
    const event = { topic: TOPIC, type: 'Fact', aggregateId: `a-${n % 100}`, payload: Buffer.alloc(200) };
    void appendToOutbox(pool, event).then((id) => committedAt.set(id, performance.now()));
  }
  while (handled < total) await pause(50);
  latencies.sort((a, b) => a - b);
  const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  const figures = `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, longest ${at(0.99999)} ms`;
  process.stdout.write(`${latencies.length} events at ${RATE}/s, commit to handler: ${figures}\n`);
  await relay.stop();
  await bus.close();
  await pool.end();
}

void main();
