// What a snapshot that nobody closes (a dump, a forgotten transaction) costs the queues: how much one look of an idle relay, one
// poll and claim of a group on the PostgreSQL bus read, before and while it is held, after each of ROUNDS (5) x EVENTS (20,000) events
// have passed at RATE (300) a second, and what each of those events cost the bus: pages, rows changed, commits, bytes of WAL (of the
// whole server: the outbox's are in it). On the server of DATABASE_URL, whose databases bench_outbox and bench_bus it recreates
// (with NAME behind them).
//   esbuild libs/messaging/bench/long-snapshot.ts --bundle --platform=node --packages=external --tsconfig=libs/messaging/tsconfig.json --outfile=libs/messaging/dist/long-snapshot.cjs
//   DATABASE_URL=postgresql://… node libs/messaging/dist/long-snapshot.cjs
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool, ensureDatabase } from '@reseller/database';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { createEventBus, createOutboxRelay } from '../src';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const EVENTS = Number(process.env['EVENTS'] ?? 20_000);
const RATE = Number(process.env['RATE'] ?? 300);
const NAME = process.env['NAME'] ?? '';
/** Looks that still see the load's last seconds are no idle ones. */
const CALM_MS = 8_000;
const WATCHED_MS = 10_000;
const TOPIC = 'reseller.bench.snapshot.v1';
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

/** Pages that a database has read so far, as its statistics count them. */
async function pagesRead(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pages: string }>(
    `SELECT (SELECT sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) FROM pg_statio_user_tables)
          + coalesce((SELECT sum(blks_hit + blks_read) FROM pg_statio_user_sequences), 0) AS pages`,
  );
  return Number(rows[0]?.pages ?? 0);
}

type Cost = Record<'pages' | 'rows' | 'commits' | 'wal', number>;

/** What a database has done so far. Its statistics come up to a second late, so it is read when all is calm. */
async function costOf(pool: Pool): Promise<Cost> {
  const { rows } = await pool.query<Record<'rows' | 'commits' | 'wal', string>>(
    `SELECT (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables) AS rows, xact_commit AS commits,
            pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  const { rows: changes, commits, wal } = rows[0] ?? { rows: 0, commits: 0, wal: 0 };
  return {
    pages: await pagesRead(pool),
    rows: Number(changes),
    commits: Number(commits),
    wal: Number(wal),
  };
}

/** Pages a second that go on being read while nothing happens. */
async function idleReads(pools: Pool[]): Promise<number[]> {
  await pause(CALM_MS);
  const before = await Promise.all(pools.map(pagesRead));
  await pause(WATCHED_MS);
  const after = await Promise.all(pools.map(pagesRead));
  return after.map((pages, n) => Math.round(((pages - (before[n] ?? 0)) * 1_000) / WATCHED_MS));
}

async function main(): Promise<void> {
  const outboxUrl = await freshDatabase(`bench_outbox${NAME}`);
  const busUrl = await freshDatabase(`bench_bus${NAME}`);
  const open = (connectionString: string): Pool =>
    createPool({ connectionString, max: 5, name: 'bench', log, idleInTransactionTimeoutMs: 0 });
  const [outbox, events] = [open(outboxUrl), open(busUrl)];
  await outbox.query(readFileSync('libs/messaging/sql/messaging.sql', 'utf8'));
  const bus = await createEventBus({ url: busUrl, clientId: 'bench', log });
  const relay = createOutboxRelay({ connectionString: outboxUrl, bus, log });
  let handled = 0;
  const group = bus.subscribe({
    group: 'bench',
    topics: [TOPIC],
    handler: async (some) => void (handled += some.length),
  });
  const pass = async (round: number): Promise<string> => {
    await pause(1_500);
    const before = await costOf(events);
    const startedAt = performance.now();
    for (let n = 0; n < EVENTS; n += 100) {
      await pause(Math.max(0, startedAt + (n * 1_000) / RATE - performance.now()));
      await outbox.query(
        `SELECT outbox_append($1, 'Fact', 'a-' || ($2 + i), '\\x00') FROM generate_series(1, 100) AS i`,
        [TOPIC, round * EVENTS + n],
      );
    }
    while (handled < (round + 1) * EVENTS) await pause(50);
    const rate = Math.round(EVENTS / ((performance.now() - startedAt) / 1_000));
    await pause(1_500);
    const after = await costOf(events);
    const each = (of: keyof Cost): string => ((after[of] - before[of]) / EVENTS).toFixed(2);
    return `${rate} events/s; each ${each('pages')} pages, ${each('rows')} rows, ${each('commits')} commits, ${each('wal')} bytes`;
  };
  const report = async (what: string, passed: string): Promise<void> => {
    const [look, poll] = await idleReads([outbox, events]);
    process.stdout.write(`${what}: ${passed}; idle: outbox ${look}, event bus ${poll} pages/s\n`);
  };
  await report('no snapshot, one round', await pass(0));
  const snapshots = await Promise.all([outbox, events].map((pool) => pool.connect()));
  for (const each of snapshots) {
    await each.query('SET transaction_timeout = 0');
    await each.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await each.query('SELECT count(*) FROM pg_class');
  }
  for (let round = 1; round <= ROUNDS; round += 1)
    await report(`snapshot held for ${round * EVENTS} events`, await pass(round));
  for (const each of snapshots) {
    await each.query('ROLLBACK');
    each.release();
  }
  await report('snapshot ended', await pass(ROUNDS + 1));
  await group.stop();
  await relay.stop();
  await bus.close();
  await Promise.all([outbox.end(), events.end()]);
}

void main();
