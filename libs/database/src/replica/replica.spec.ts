import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  silentLog,
  startReplicatedPostgres,
  type ReplicatedTestPostgres,
} from '@reseller/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { createPool } from '../create-pool';
import { createReplica, type Replica } from './replica';

const ACCEPTED_MS = 1_000;
const HEARTBEATS = readFileSync(path.join(__dirname, '../../sql/replica-heartbeats.sql'), 'utf8');

/** In this order: the last one makes the standby a primary. */
describe('reads from a replica', () => {
  let server: ReplicatedTestPostgres;
  let primary: Pool;
  let standby: Pool;
  let replica: Replica;
  const metrics = new Registry();

  beforeAll(async () => {
    server = await startReplicatedPostgres();
    const open = (connectionString: string): Pool =>
      createPool({ connectionString, max: 2, name: 'test', log: silentLog });
    primary = open(server.url);
    standby = open(server.standby.url);
    await primary.query(`${HEARTBEATS}; CREATE TABLE marks (n int)`);
    const settings = {
      DATABASE_URL: server.url,
      DATABASE_REPLICA_URL: server.standby.url,
      DATABASE_REPLICA_STALENESS_MS: ACCEPTED_MS,
    };
    const made = createReplica(settings, {
      ...{ max: 4, name: 'test', log: silentLog, metrics },
      // So that nothing but the replica itself ends a wait for a server that is silent.
      statementTimeoutMs: 0,
    });
    if (!made) throw new Error('the settings name a replica');
    replica = made;
    replica.job.start();
  });
  afterAll(async () => {
    await replica.job.stop();
    await replica.close();
    await Promise.all([primary.end(), standby.end()]);
    await server.stop();
  });

  const newest = async (pool: Pool): Promise<number> => {
    const { rows } = await pool.query<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM marks');
    return rows[0]?.n ?? 0;
  };
  const readMarks = (): Promise<[from: string, mark: number]> =>
    replica.read<[string, number]>(
      async () => ['replica', await newest(replica.pool)],
      async () => ['primary', await newest(primary)],
    );
  const served = (from: string): Promise<void> =>
    eventually(async () => expect((await readMarks())[0]).toBe(from));

  it('when it follows, then it is read from', async () => {
    await served('replica');
    expect(await metrics.metrics()).toMatch(/database_replica_staleness_seconds 0\.\d+/);
  });

  it('when its replay stands still, then nothing older than accepted is read, and it is taken again once it goes on', async () => {
    await primary.query('TRUNCATE marks');
    const committed: number[] = [];
    const sources = new Set<string>();
    const step = async (): Promise<string> => {
      await primary.query('INSERT INTO marks VALUES ($1)', [committed.length + 1]);
      committed.push(performance.now());
      const askedAt = performance.now();
      const [from, mark] = await readMarks();
      sources.add(from);
      const due = committed.filter((at) => at <= askedAt - ACCEPTED_MS).length;
      expect(mark).toBeGreaterThanOrEqual(due);
      return from;
    };
    const until = (from: string): Promise<void> => eventually(async () => expect(await step()).toBe(from));
    await until('replica');
    await standby.query('SELECT pg_wal_replay_pause()');
    await until('primary');
    await standby.query('SELECT pg_wal_replay_resume()');
    await until('replica');
    expect([...sources].sort()).toEqual(['primary', 'replica']);
  });

  it('when a read fails there, then it is made on the primary, once', async () => {
    await served('replica');
    let onPrimary = 0;
    const result = await replica.read<unknown>(
      () => replica.pool.query('CREATE TEMP TABLE refused (n int)'),
      () => Promise.resolve((onPrimary += 1)),
    );
    expect([result, onPrimary]).toEqual([1, 1]);
    expect(await metrics.metrics()).toContain('database_replica_reads_total{result="failed"} 1');
  });

  it('when its server freezes, then whoever waits for it is served by the primary, until it thaws', async () => {
    await served('replica');
    const waiting = replica.read(
      () => replica.pool.query('SELECT pg_sleep(20)').then(() => 'replica'),
      () => Promise.resolve('primary'),
    );
    const pids = await eventually(async () => {
      const { rows } = await standby.query<{ pid: number; query: string }>(
        'SELECT pid, query FROM pg_stat_activity',
      );
      expect(rows.some(({ query }) => query === 'SELECT pg_sleep(20)')).toBe(true);
      return [server.standby.pid, ...rows.map(({ pid }) => pid)];
    });
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      expect(await waiting).toBe('primary');
      await served('primary');
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await served('replica');
  });

  it('when it has become a primary of its own, then it is not read from any more', async () => {
    await served('replica');
    await standby.query('SELECT pg_promote()');
    await served('primary');
    await primary.query('INSERT INTO marks VALUES (1000000)');
    expect(await readMarks()).toEqual(['primary', 1_000_000]);
  });
});
