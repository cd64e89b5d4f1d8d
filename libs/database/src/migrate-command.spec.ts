import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, freePort } from '@reseller/testing';
import { runMigrateCommand } from './migrate-command';

describe('migrate.js', () => {
  let database: TestDatabase;
  let directory: string;
  let said: string[];
  const write = (name: string, sql: string): void => {
    mkdirSync(path.join(directory, name), { recursive: true });
    writeFileSync(path.join(directory, name, 'migration.sql'), sql);
  };
  const run = (args: string[] = [], env: Record<string, string> = {}): Promise<number> =>
    runMigrateCommand({
      name: 'shop',
      directory,
      args,
      env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent', MIGRATE_DATABASE_WAIT_MS: '0', ...env },
      say: (line) => said.push(line),
      complain: (line) => said.push(line),
    });

  beforeEach(async () => {
    said = [];
    database = await createTestDatabase();
    directory = mkdtempSync(path.join(os.tmpdir(), 'migrate-command-'));
    write('1_table', 'CREATE TABLE shelf (id int)');
    write('2_column', 'ALTER TABLE shelf ADD COLUMN note text');
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    await database.drop();
  });

  it('when migrations are pending, then it applies them and ends with 0, and so does the next one', async () => {
    expect(await run()).toBe(0);
    expect((await database.pool.query('SELECT id, note FROM shelf')).rows).toEqual([]);
    expect(await run()).toBe(0);
  });

  it('when the status is requested, then it prints what is pending and changes nothing', async () => {
    expect(await run(['--status'])).toBe(3);
    expect(said).toEqual(['pending 1_table', 'pending 2_column']);
    const { rows } = await database.pool.query(
      "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(rows).toEqual([]);
    await run();
    write('3_more', 'SELECT 1');
    said = [];
    expect(await run(['--status'])).toBe(3);
    expect(said).toEqual(['applied 1_table', 'applied 2_column', 'pending 3_more']);
  });

  it('when a newer version has migrated the database, then an older one has nothing to do', async () => {
    write('3_newer', 'ALTER TABLE shelf ADD COLUMN colour text');
    await run();
    rmSync(path.join(directory, '3_newer'), { recursive: true });
    expect(await run()).toBe(0);
    said = [];
    expect(await run(['--status'])).toBe(0);
    expect(said).toContain('newer   3_newer (not of this version)');
  });

  it('when a setting is bad, then it is named and its value is not', async () => {
    expect(await run([], { DATABASE_URL: 'mysql://root:hidden@db/shop' })).toBe(1);
    expect(said.join()).toContain('shop: DATABASE_URL is not valid');
    expect(said.join()).not.toContain('hidden');
    said = [];
    expect(await run([], { DATABASE_URL: '', MIGRATE_RETRY_MS: 'soon' })).toBe(1);
    expect(said.join()).toMatch(/DATABASE_MIGRATION_URL is missing.*MIGRATE_RETRY_MS is not valid/);
  });

  it('when a migration fails, then it is named and the command ends with 1', async () => {
    write('3_broken', 'SELECT 1 / 0');
    expect(await run()).toBe(1);
    expect(said).toEqual(['shop: migration 3_broken failed: division by zero']);
    said = [];
    await run(['--status']);
    expect(said).toEqual(['applied 1_table', 'applied 2_column', 'pending 3_broken']);
  });

  it('when the database comes up only later, then it waits for it, and not for ever', async () => {
    const port = await freePort();
    const url = new URL(database.url);
    const target = { host: url.hostname, port: Number(url.port) };
    url.host = `127.0.0.1:${port}`;
    expect(await run([], { DATABASE_URL: url.href, MIGRATE_DATABASE_WAIT_MS: '1' })).toBe(1);
    const waiting = run([], { DATABASE_URL: url.href, MIGRATE_DATABASE_WAIT_MS: '20000' });
    const door = net.createServer((socket) => {
      const inside = net.connect(target);
      for (const end of [socket, inside]) end.on('error', () => end.destroy());
      socket.pipe(inside).pipe(socket);
    });
    door.listen(port, '127.0.0.1');
    expect(await waiting).toBe(0);
    door.close();
  });

  it('when a service has migrations, then its bundle has the command', () => {
    const apps = path.resolve(__dirname, '../../../apps');
    const owners = readdirSync(apps).filter((app) => existsSync(path.join(apps, app, 'prisma/migrations')));
    expect(owners.length).toBeGreaterThan(4);
    expect(owners.filter((app) => !existsSync(path.join(apps, app, 'src/commands/migrate.ts')))).toEqual([]);
  });
});
