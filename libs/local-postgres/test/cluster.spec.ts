import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@reseller/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  commandOf,
  copyCluster,
  endStalePostmaster,
  initialiseCluster,
  spawnPostgres,
  stopPostgres,
} from '../src';

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => stopPostgres(child, 2_000)));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A cluster below a folder that only its owner may enter, as mktemp -d makes it. */
function newCluster(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cluster-'));
  chmodSync(folder, 0o700);
  folders.push(folder);
  const directory = path.join(folder, 'postgres');
  initialiseCluster({ directory, user: 'tester', password: 'secret' });
  return directory;
}

interface Running {
  child: ChildProcess;
  query: (sql: string) => Promise<unknown[]>;
  queryAs: (password: string, sql: string) => Promise<unknown[]>;
}

async function start(directory: string, password = 'secret'): Promise<Running> {
  const port = await freePort();
  const child = spawnPostgres({ directory, port, settings: { fsync: 'off' } }, 'ignore');
  children.push(child);
  const queryAs = async (password: string, sql: string): Promise<unknown[]> => {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'tester',
      password,
      database: 'postgres',
    });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const query = (sql: string): Promise<unknown[]> => queryAs(password, sql);
  await eventually(() => query('SELECT 1'));
  return { child, query, queryAs };
}

/** One with a number in its table `kept`. */
async function stoppedCluster(n: number): Promise<string> {
  const directory = newCluster();
  const server = await start(directory);
  await server.query(`CREATE TABLE kept AS SELECT ${n} AS n`);
  await stopPostgres(server.child, 5_000);
  return directory;
}

describe('a cluster', () => {
  it('when it was made once, then making it again keeps what is in it', async () => {
    const directory = await stoppedCluster(1);
    initialiseCluster({ directory, user: 'tester', password: 'other' });
    const second = await start(directory);
    expect(await second.query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('when it begins as a copy of another, then it has what is in that one, and a password of its own', async () => {
    const directory = await stoppedCluster(3);
    const copy = `${directory}-copy`;
    initialiseCluster({ directory: copy, user: 'tester', password: "it's other", copyOf: directory });
    const refused = /password authentication failed/;
    const second = await start(copy, "it's other");
    expect(await second.query('SELECT n FROM kept')).toEqual([{ n: 3 }]);
    await expect(second.queryAs('secret', 'SELECT 1')).rejects.toThrow(refused);
  });

  it('when a spare copy is there, then the first to come takes it, and the next makes a copy of its own', async () => {
    const directory = await stoppedCluster(4);
    const spare = `${directory}-spare`;
    copyCluster(directory, spare);
    writeFileSync(path.join(spare, 'taken'), '');
    for (const place of ['first', 'next']) {
      const copy = `${directory}-${place}`;
      const options = { directory: copy, user: 'tester', password: place, copyOf: directory, spare };
      expect(initialiseCluster(options)).toBe(true);
      expect([existsSync(spare), existsSync(path.join(copy, 'taken'))]).toEqual([false, place === 'first']);
      const server = await start(copy, place);
      expect(await server.query('SELECT n FROM kept')).toEqual([{ n: 4 }]);
    }
  });

  it('when what it is to be a copy of is no cluster, then that is said and nothing is left', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cluster-'));
    folders.push(folder);
    const options = { directory: path.join(folder, 'postgres'), user: 'tester', password: 'secret' };
    const broken = path.join(folder, 'broken');
    mkdirSync(broken);
    expect(() => initialiseCluster({ ...options, copyOf: broken })).toThrow(
      /could not be made ready: postgres: could not access/,
    );
    expect(existsSync(options.directory)).toBe(false);
  });

  it('when its server was killed, then the next one starts and has what was committed', async () => {
    const directory = newCluster();
    const first = await start(directory);
    await first.query('CREATE TABLE kept AS SELECT 2 AS n');
    first.child.kill('SIGKILL');
    await eventually(() => expect(first.child.signalCode).toBe('SIGKILL'));
    await endStalePostmaster(directory);
    // Left to PostgreSQL, which learns from it whether backends of the dead server still live.
    expect(existsSync(path.join(directory, 'postmaster.pid'))).toBe(true);
    const second = await start(directory);
    expect(await second.query('SELECT n FROM kept')).toEqual([{ n: 2 }]);
  });

  it('when a server of an earlier owner still runs, then it is ended', async () => {
    const directory = newCluster();
    const { child } = await start(directory);
    await endStalePostmaster(directory);
    expect(commandOf(child.pid ?? 0)).toBeUndefined();
  });

  it('when the lock file names a pid that is another program by now, then that one lives on and the file is gone', async () => {
    const directory = newCluster();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      writeFileSync(path.join(directory, 'postmaster.pid'), `${bystander.pid}\n`);
      await endStalePostmaster(directory);
      expect(existsSync(path.join(directory, 'postmaster.pid'))).toBe(false);
      expect(commandOf(bystander.pid ?? 0)).toBeDefined();
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  it('when the lock file names a pid that serves another cluster by now, then that server lives on', async () => {
    const other = newCluster();
    const { child, query } = await start(other);
    const directory = newCluster();
    writeFileSync(path.join(directory, 'postmaster.pid'), `${child.pid}\n`);
    await endStalePostmaster(directory);
    expect(existsSync(path.join(directory, 'postmaster.pid'))).toBe(false);
    expect(await query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });
});
