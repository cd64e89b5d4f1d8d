import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@reseller/testing';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  archivedUpTo,
  archiveSettings,
  initialiseCluster,
  makeArchive,
  positionOf,
  restoreCluster,
  spawnPostgres,
  stopPostgres,
  takeBaseBackup,
} from '../src';

describe('a backup taken under load, and the archived log', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'backup-'));
  const [data, archive, backup, oldLog] = ['postgres', 'archive', 'base', 'old-log'].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string];
  const running: { child: ChildProcess; client: Client }[] = [];
  let midway: Date;
  let writtenMidway: number;
  let archived: number;
  let written = 0;

  async function start(directory: string, to: string): Promise<{ child: ChildProcess; client: Client }> {
    const port = await freePort();
    const settings = { fsync: 'off', autovacuum: 'off', ...archiveSettings(to, 60) };
    const child = spawnPostgres({ directory, port, settings }, 'ignore');
    const client = await eventually(async () => {
      const one = new Client({
        host: '127.0.0.1',
        port,
        user: 'tester',
        password: 'x',
        database: 'postgres',
      });
      one.on('error', () => undefined);
      await one.connect();
      const { rows } = await one.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
      if (!rows[0]?.recovering) return one;
      await one.end();
      throw new Error('still replaying');
    });
    running.push({ child, client });
    return { child, client };
  }

  const write = async (client: Client, rows: number): Promise<void> => {
    for (let n = 0; n < rows; n += 1) {
      await client.query('INSERT INTO kept VALUES ($1, repeat($2, 200))', [(written += 1), 'x']);
    }
  };

  async function rowsAfter(plan: {
    until?: Date;
    survivingLog?: string;
  }): Promise<{ n: number; last: number }> {
    const into = path.join(root, `restored-${running.length}`);
    restoreCluster({ backup, archive, into, ...plan });
    // A log of its own: two servers restored from one archive would both call themselves timeline 2.
    makeArchive(`${into}-archive`);
    const { client } = await start(into, `${into}-archive`);
    const { rows } = await client.query<{ n: number; last: number }>(
      'SELECT count(*)::int AS n, max(n) AS last FROM kept',
    );
    return rows[0] as { n: number; last: number };
  }

  beforeAll(async () => {
    makeArchive(archive);
    initialiseCluster({ directory: data, user: 'tester', password: 'x' });
    const { child, client } = await start(data, archive);
    await client.query('CREATE TABLE kept (n int PRIMARY KEY, filling text)');
    await client.query("INSERT INTO kept SELECT -g, repeat('y', 500) FROM generate_series(1, 20000) AS g");
    const other = new Client({ ...connectionOf(client), password: 'x' });
    await other.connect();
    let isCopied = false;
    const copying = takeBaseBackup(other, data, backup).finally(() => (isCopied = true));
    while (!isCopied) await write(client, 10);
    await copying;
    await other.end();
    await write(client, 100);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    midway = now.rows[0]?.now as Date;
    writtenMidway = written;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await write(client, 100);
    const switched = await client.query<{ lsn: string }>('SELECT pg_switch_wal()::text AS lsn');
    archived = written;
    await eventually(() => {
      expect(archivedUpTo(archive)).toBeGreaterThanOrEqual(positionOf(switched.rows[0]?.lsn ?? ''));
    });
    await write(client, 50);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    cpSync(path.join(data, 'pg_wal'), oldLog, { recursive: true });
    rmSync(data, { recursive: true });
  });

  const connectionOf = (client: Client): { host: string; port: number; user: string; database: string } => ({
    host: client.host,
    port: client.port,
    user: client.user ?? '',
    database: client.database ?? '',
  });

  afterAll(async () => {
    await Promise.all(running.map(({ client }) => client.end().catch(() => undefined)));
    await Promise.all(running.map(({ child }) => stopPostgres(child, 5_000)));
    rmSync(root, { recursive: true, force: true });
  });

  it('when the directory is lost, then everything up to the last archived piece is back, whole', async () => {
    expect(await rowsAfter({})).toEqual({ n: 20_000 + archived, last: archived });
  });

  it('when a moment is given, then what was committed by then is back and nothing after it', async () => {
    expect(await rowsAfter({ until: midway })).toEqual({ n: 20_000 + writtenMidway, last: writtenMidway });
  });

  it('when the log outlived the data, then nothing is lost', async () => {
    expect(await rowsAfter({ survivingLog: oldLog })).toEqual({ n: 20_000 + written, last: written });
  });
});
