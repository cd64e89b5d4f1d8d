import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { archiveAddress, archiveNext, ObjectStore } from '@reseller/archive';
import { createSessionPool, sqlStateOf, type SessionPool } from '@reseller/database';
import {
  createTestDatabase,
  s3Missing,
  silentLog,
  startS3,
  type TestDatabase,
  type TestS3,
} from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { archiveSources } from '../src/archive/archive.repository';
import { addDays } from '../src/delivery/domain/day-ids';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { plantDay } from './plant-day';
import { MIGRATIONS, subscribe } from './start-delivery';

const missing = s3Missing();
const EVENTS_MS = 30 * 86_400_000;

describeWith(missing, 'what is archived', () => {
  let s3: TestS3;
  let database: TestDatabase;
  let sessions: SessionPool;
  let store: ObjectStore;

  beforeAll(async () => {
    s3 = await startS3();
    Object.assign(process.env, s3.env);
  }, 120_000);
  afterAll(() => s3.remove());
  beforeEach(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    sessions = createSessionPool({
      connectionString: database.serviceUrl,
      max: 1,
      name: 'archive',
      log: silentLog,
    });
    const prefix = `${s3.env.ARCHIVE_URL}/${path.basename(new URL(database.url).pathname)}`;
    const address = archiveAddress({
      ...s3.env,
      ARCHIVE_URL: prefix,
      NODE_ENV: 'test',
      PLAINTEXT_ALLOWED: [],
    });
    store = new ObjectStore(address!);
  });
  afterEach(async () => {
    await store.close();
    await sessions.end();
    await database.drop();
  });

  const setAside = (): Promise<number> =>
    new PartitionRepository(database.servicePool, silentLog, EVENTS_MS, true).dropOld();
  const archive = async (metrics?: Registry): Promise<void> => {
    const deps = {
      service: 'notifier',
      pool: database.servicePool,
      sessions,
      store,
      log: silentLog,
      metrics,
    };
    while (await archiveNext(archiveSources(database.servicePool, EVENTS_MS), deps));
  };
  const folder = (): string => path.join(s3.folder, store.urlOf('notifier').replace(/^s3:\/\/[^/]+\//, ''));
  const objects = (): string[] =>
    existsSync(folder())
      ? readdirSync(folder(), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(gz|json)$/.test(name))
          .sort()
      : [];
  const rowsOf = (name: string): Record<string, string>[] =>
    parse(gunzipSync(readFileSync(path.join(folder(), name))), { columns: true });
  const count = async (table: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0;
  const tables = async (): Promise<string[]> =>
    (
      await database.pool.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ '^webhook_(events|finished).*_\\d{8}$' AND relkind = 'r' ORDER BY 1`,
      )
    ).rows.map(({ name }) => name);
  const day = (daysAgo: number): string => addDays(new Date().toISOString().slice(0, 10), -daysAgo);

  it('when days are past their time, then their rows are objects that say what is in them, and gone here', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    for (const days of [0, 30, 31, 70]) await plantDay(database, id, partnerId, days, 3);
    await setAside();
    expect(await count('webhook_finished_deliveries')).toBe(6);
    await archive();
    await setAside();
    await archive();
    const old = [day(70), day(31)].map((one) => `webhook_finished_deliveries/day=${one}`);
    expect(objects()).toEqual([
      `webhook_events/day=${day(70)}/_day.json`,
      `webhook_events/day=${day(70)}/day.csv.gz`,
      ...old.flatMap((one) => [`${one}/_day.json`, `${one}/day.csv.gz`]),
    ]);
    expect(await tables()).not.toContain(`webhook_finished_deliveries_${day(31).replaceAll('-', '')}`);
    const rows = rowsOf(`${old[0]}/day.csv.gz`);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      subscription_id: id,
      partner_id: partnerId,
      environment: 'sandbox',
      order_global_id: 'TOP-1',
      status: 'Delivered',
      attempts: '[{"attemptNumber": 1}]',
    });
    expect(rowsOf(`webhook_events/day=${day(70)}/day.csv.gz`)[0]).toMatchObject({
      body: '{"a":"ö, \\"b\\""}',
    });
    const { rows: recorded } = await database.pool.query(
      'SELECT * FROM archives ORDER BY object DESC LIMIT 1',
    );
    const manifest = JSON.parse(readFileSync(path.join(folder(), `${old[1]}/_day.json`), 'utf8')) as object;
    expect(manifest).toMatchObject({
      rows: 3,
      sha256: recorded[0].sha256,
      // The last migration, by its name.
      schema: expect.stringMatching(/^\d{14}_\w+$/),
    });
    expect(recorded[0]).toMatchObject({ row_count: '3', day: day(31) });
  });

  it('when the store is away, then days wait unseen, the gauge says so, and go when it is back', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 31, 2);
    await setAside();
    await s3.kill();
    const metrics = new Registry();
    const behind = async (): Promise<string | undefined> =>
      (await metrics.metrics())
        .split('\n')
        .find((line) => line.startsWith('archive_behind{table="webhook_finished'));
    await expect(archive(metrics)).rejects.toThrow();
    expect(await behind()).toMatch(/ 1$/);
    expect(await count('webhook_finished_deliveries')).toBe(0);
    const waiting = `webhook_finished_deliveries_${day(31).replaceAll('-', '')}`;
    expect(await count(waiting)).toBe(2);
    await s3.start();
    await archive(metrics);
    expect(await behind()).toMatch(/ 0$/);
    expect(await tables()).not.toContain(waiting);
  });

  it('when the store refuses, for its bucket, a key or its address, then the day stays, and the log names the setting', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 31);
    await setAside();
    const keys = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
    for (const [wrong, setting] of [
      [{ ARCHIVE_URL: 's3://elsewhere' }, 'ARCHIVE_URL'],
      [{ AWS_ACCESS_KEY_ID: 'rotated' }, keys],
      [{ AWS_SECRET_ACCESS_KEY: 'rotated' }, keys],
      [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }, 'AWS_ENDPOINT_URL_S3'],
    ] as const) {
      const env = { ...s3.env, ...wrong };
      Object.assign(process.env, env);
      const refused = new ObjectStore(archiveAddress({ ...env, NODE_ENV: 'test', PLAINTEXT_ALLOWED: [] })!);
      const lines: string[] = [];
      const log = pino({}, { write: (line: string) => void lines.push(line) });
      const deps = { service: 'notifier', pool: database.servicePool, sessions, store: refused, log };
      const run = archiveNext(archiveSources(database.servicePool, EVENTS_MS), deps);
      await expect(run).rejects.toThrow(new RegExp(` ${setting}\\b`));
      Object.assign(process.env, s3.env);
      await refused.close();
      expect(lines.join('')).toMatch(new RegExp(` ${setting}\\b`));
      expect(lines.join('')).not.toContain(s3.env['AWS_SECRET_ACCESS_KEY']);
    }
    expect(await count(`webhook_finished_deliveries_${day(31).replaceAll('-', '')}`)).toBe(1);
    await archive();
    expect(objects()).toHaveLength(2);
  });

  it('when a delivery ends after its day went, then it is archived by itself, once nothing more can come', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 40, 1);
    await setAside();
    await archive();
    // Their day has no partition any more.
    const late = `INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, status, attempts)
      SELECT uuidv7(-make_interval(days => n)), uuidv7(), $1, 'order.completed', 'Delivered', '[{}]'
      FROM unnest(ARRAY[40, 40, 41, 32]) AS n`;
    await database.pool.query(late, [id]);
    await archive();
    expect(await count('webhook_finished_deliveries_default')).toBe(1);
    const names = objects().filter((name) => /late-.*gz$/.test(name));
    expect(names.map((name) => rowsOf(name).length)).toEqual([1, 2]);
    expect(names[0]).toContain(`day=${day(41)}`);
  });

  it('when another instance archives, then this one leaves it alone', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 31, 1);
    await setAside();
    const other = await database.pool.connect();
    await other.query(`SELECT pg_advisory_lock(hashtextextended('archive notifier', 0))`);
    await archive();
    expect(objects()).toEqual([]);
    other.release(true);
  });

  it('when archiving is turned off again, then what waits is dropped as before', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 31, 1);
    await setAside();
    expect(await new PartitionRepository(database.servicePool, silentLog).dropOld()).toBe(1);
  });

  it('when the service’s own role would drop a day that is not archived, or not past its time, then it may not', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    for (const days of [1, 31]) await plantDay(database, id, partnerId, days, 1);
    await setAside();
    const before = await tables();
    const attempt = (sql: string): Promise<unknown> =>
      database.servicePool.query(sql).then(({ rows }) => rows, sqlStateOf);
    const recent = `webhook_finished_deliveries', '${day(1)}'`;
    await database.servicePool.query(
      `INSERT INTO archives (object, table_name, day, row_count, bytes, sha256, columns, schema)
       VALUES ('x', '${recent}, 1, 1, '', '[]', '')`,
    );
    for (const sql of [
      `SELECT drop_archived_partition('webhook_finished_deliveries', '${day(31)}')`,
      `SELECT drop_archived_partition('${recent})`,
      `SELECT drop_archived_partition('webhook_subscriptions', '${day(1)}')`,
      `SELECT detach_webhook_partitions('webhook_subscriptions', '${day(1)}')`,
      `DELETE FROM archives`,
    ])
      expect([sql, await attempt(sql)]).toEqual([sql, '42501']);
    expect(await attempt(`SELECT detach_webhook_partitions('webhook_events', '9999-12-31')`)).toEqual([]);
    expect(await tables()).toEqual(before);
  });
});
