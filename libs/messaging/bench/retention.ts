// How many rows a second retention removes while all of them have had their time: ROWS (1,000,000) of outbox, of inbox and of
// idempotency keys, SECONDS (60) long, first with nothing else going on, then, of as many new rows, while a snapshot is held, as by a dump.
// On the server of DATABASE_URL, whose database bench_retention it recreates.
//   esbuild libs/messaging/bench/retention.ts --bundle --platform=node --packages=external --tsconfig=libs/messaging/tsconfig.json --outfile=libs/messaging/dist/retention.cjs
//   DATABASE_URL=postgresql://… node libs/messaging/dist/retention.cjs
import { readFileSync } from 'node:fs';
import { createPool, ensureDatabase, keyRetention, removeExpired } from '@reseller/database';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { inboxRetention, outboxRetention } from '../src';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const SECONDS = Number(process.env['SECONDS'] ?? 60);
const log = pino({ level: 'warn' });
const rules = [
  outboxRetention({ OUTBOX_RETENTION_MS: 1 }),
  inboxRetention({ INBOX_RETENTION_MS: 1 }),
  { ...keyRetention, keepMs: 1 },
];

async function freshDatabase(name: string): Promise<string> {
  const url = new URL(process.env['DATABASE_URL'] ?? '');
  const admin = createPool({ connectionString: url.href, max: 1, name: 'bench', log });
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.end();
  url.pathname = `/${name}`;
  await ensureDatabase(url.href);
  return url.href;
}

/** Rows of an order's size, a millisecond apart, the last of them a minute old. */
async function fill(pool: Pool): Promise<void> {
  const at = `now() - interval '1 minute' - (${ROWS} - n) * interval '1 millisecond'`;
  for (const sql of [
    `INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, occurred_at, published_at)
     SELECT uuidv7(), 'reseller.orders.order.v1', 'reseller.orders.v1.OrderCompleted', uuidv7()::text, n,
       convert_to(repeat(md5(n::text), 12), 'UTF8'), ${at}, ${at} FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO inbox (consumer, event_id, first_seen_at, handled_at)
     SELECT 'bench', uuidv7(), ${at}, ${at} FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO idempotency_keys (partner_id, environment, key, fingerprint, response, created_at)
     SELECT md5((n % 100)::text)::uuid, 'live', gen_random_uuid()::text, md5(n::text), convert_to(repeat(md5(n::text), 12), 'UTF8'), ${at}
     FROM generate_series(1, ${ROWS}) AS n`,
    'VACUUM ANALYZE outbox, inbox, idempotency_keys',
  ])
    await pool.query(sql);
}

async function run(what: string, pool: Pool): Promise<void> {
  const metrics = new Registry();
  const startedAt = performance.now();
  while (
    performance.now() - startedAt < SECONDS * 1_000 &&
    (await removeExpired(rules, { pool, log, metrics }))
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const { values } = (await metrics.getSingleMetric('retention_removed_rows_total')?.get()) ?? { values: [] };
  const rates = values.map(({ labels, value }) => `${labels['table']} ${Math.round(value / seconds)}`);
  process.stdout.write(`${what}: ${rates.join(', ')} rows/s in ${seconds.toFixed(0)} s\n`);
}

async function main(): Promise<void> {
  const connectionString = await freshDatabase('bench_retention');
  const limits = { statementTimeoutMs: 0, transactionTimeoutMs: 0, idleInTransactionTimeoutMs: 0 };
  const pool = createPool({ connectionString, max: 3, name: 'bench', log, ...limits });
  for (const file of ['messaging/sql/messaging.sql', 'database/sql/idempotency.sql'])
    await pool.query(readFileSync(`libs/${file}`, 'utf8'));
  await fill(pool);
  await run('quiet', pool);
  await pool.query('TRUNCATE outbox, inbox, idempotency_keys');
  await fill(pool);
  const holder = await pool.connect();
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT count(*) FROM pg_class');
  await run('while a snapshot is held', pool);
  await holder.query('ROLLBACK');
  holder.release();
  await pool.end();
}

void main();
