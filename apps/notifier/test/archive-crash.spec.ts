import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  bundleService,
  createTestDatabase,
  eventually,
  freePort,
  s3Missing,
  silentLog,
  spawnService,
  startS3,
  type Program,
  type ServiceProcess,
  type TestDatabase,
  type TestS3,
} from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { parse } from 'csv-parse/sync';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { ArchiveGate } from './archive-gate';
import { plantDay } from './plant-day';
import { MIGRATIONS, SEALING_KEYS, subscribe } from './start-delivery';

const missing = s3Missing();
const MONTH_MS = 30 * 86_400_000;
const ROWS = 150;

describeWith(missing, 'a notifier that is killed while it archives', () => {
  let s3: TestS3;
  let gate: ArchiveGate;
  let bundle: Program;
  let database: TestDatabase;
  let running: ServiceProcess | undefined;
  let httpPort: number;

  beforeAll(async () => {
    s3 = await startS3();
    gate = await ArchiveGate.before(s3.env.AWS_ENDPOINT_URL_S3);
    bundle = await bundleService(path.join(__dirname, '..'));
  }, 120_000);
  afterAll(async () => {
    gate.close();
    await bundle.remove();
    await s3.remove();
  });
  beforeEach(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await plantDay(database, id, partnerId, 70, ROWS);
    const partitions = new PartitionRepository(database.servicePool, silentLog, MONTH_MS, true);
    await partitions.dropOld();
    // Deliveries go first, so that their events are there.
    await database.pool.query(`DROP TABLE IF EXISTS ${(await waiting()).join(', ')}`);
    await partitions.dropOld();
  });
  afterEach(async () => {
    await running?.kill();
    gate.open();
    await database.drop();
  });

  const bucket = (): string => new URL(database.url).pathname.slice(1);
  const waiting = async (): Promise<string[]> =>
    (
      await database.pool.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ '^webhook_(events|finished).*_\\d{8}$' AND relkind = 'r' AND NOT relispartition`,
      )
    ).rows.map(({ name }) => name);
  const recorded = async (): Promise<{ row_count: string }[]> =>
    (await database.pool.query<{ row_count: string }>('SELECT row_count FROM archives')).rows;
  const start = async (): Promise<void> => {
    httpPort = await freePort();
    running = await spawnService(bundle.file, {
      DATABASE_URL: database.serviceUrl,
      EVENT_BUS_URL: database.url,
      HTTP_PORT: String(httpPort),
      WEBHOOK_SECRET_KEYS: SEALING_KEYS,
      ...s3.env,
      AWS_ENDPOINT_URL_S3: gate.address(),
      ARCHIVE_URL: `s3://archive/${bucket()}`,
    });
  };
  const eventIds = (): string[] =>
    readdirSync(path.join(s3.folder, bucket()), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.csv.gz'))
      .flatMap((name) =>
        parse<{ event_id: string }>(gunzipSync(readFileSync(path.join(s3.folder, bucket(), name))), {
          columns: true,
        }).map(({ event_id: id }) => id),
      );

  /** Gives what waits more than a part of an upload, 8 MiB: gzip looks back less far than to the same body in the row before. */
  const enlarge = async (): Promise<void> => {
    const [table] = await waiting();
    await database.pool.query(`UPDATE ${table} SET body = $1`, [
      Buffer.from(randomBytes(60_000).toString('base64')),
    ]);
  };

  const uploadsSecondPart = (method?: string, url?: string) =>
    method === 'PUT' && url !== undefined && url.includes('partNumber=2') ? 'request' : undefined;
  const readsBack = (method?: string) => (method === 'GET' ? 'request' : undefined);
  const wroteAll = (method?: string, url?: string) =>
    method === 'PUT' && url?.includes('_day.json') ? 'response' : undefined;

  it.each([
    { when: 'in the middle of the upload', hold: uploadsSecondPart, arrange: enlarge },
    { when: 'after the upload, before it was read back', hold: readsBack },
    { when: 'after all was written, before the removal', hold: wroteAll },
  ])(
    'when it dies $when, then every row is still there, and in the archive once after the next start',
    async ({ hold, arrange }) => {
      await arrange?.();
      gate.holds = ({ method, url }) => hold(method, url);
      const held = gate.held();
      await start();
      await held;
      await running?.kill();
      expect(await recorded()).toEqual([]);
      expect(await waiting()).toHaveLength(1);
      gate.open();
      await start();
      await eventually(async () => expect(await recorded()).toEqual([{ row_count: String(ROWS) }]));
      expect(await waiting()).toEqual([]);
      const ids = eventIds();
      expect([ids.length, new Set(ids).size]).toEqual([ROWS, ROWS]);
    },
  );

  it('when what is read back is not what was written, then nothing is removed', async () => {
    gate.alter = (content) =>
      Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]);
    await start();
    await eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text();
      expect(metrics).toMatch(/^job_runs_total\{.*job_name="archive",outcome="failed".*\} 1$/m);
    });
    expect(eventIds()).toHaveLength(ROWS);
    expect(await recorded()).toEqual([]);
    expect(await waiting()).toHaveLength(1);
  });
});
