import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { archiveAddress, archiveNext, ObjectStore, runArchiveCommand } from '@reseller/archive';
import { createSessionPool } from '@reseller/database';
import {
  createTestDatabase,
  s3Missing,
  samplesFor,
  silentLog,
  startS3,
  type TestDatabase,
  type TestS3,
} from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { archiveSources } from '../src/archive/archive.repository';
import { ARCHIVED_TABLES } from '../src/archive/archived-tables';
import { addDays } from '../src/delivery/domain/day-ids';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { plantDay } from './plant-day';
import { MIGRATIONS, subscribe, type TestSubscription } from './start-delivery';

const missing = s3Missing();
const ROOT = path.join(__dirname, '../../..');
const MONTH_MS = 30 * 86_400_000;
const tables = ARCHIVED_TABLES.map(({ table }) => table);
const day = (daysAgo: number): string => addDays(new Date().toISOString().slice(0, 10), -daysAgo);

describeWith(missing, 'the command that reads the archive', () => {
  let s3: TestS3;
  let database: TestDatabase;
  let [mine, other]: TestSubscription[] = [];

  beforeAll(async () => {
    s3 = await startS3();
    Object.assign(process.env, s3.env);
    database = await createTestDatabase({ migrations: MIGRATIONS });
    mine = await subscribe(database, 'https://example.com/');
    other = await subscribe(database, 'https://example.org/');
    for (const { id, partnerId } of [mine, other])
      for (const days of [31, 33]) await plantDay(database, id, partnerId, days, 2);
    await new PartitionRepository(database.servicePool, silentLog, MONTH_MS, true).dropOld();
    const sessions = createSessionPool({ connectionString: database.url, max: 1, name: 't', log: silentLog });
    const address = archiveAddress({ ...s3.env, NODE_ENV: 'test', PLAINTEXT_ALLOWED: [] });
    const store = new ObjectStore(address!);
    const deps = { service: 'notifier', pool: database.servicePool, sessions, store, log: silentLog };
    while (await archiveNext(archiveSources(database.servicePool, MONTH_MS), deps));
    await store.close();
    await sessions.end();
  }, 120_000);
  afterAll(async () => {
    await database.drop();
    await s3.remove();
  });

  async function run(line: string): Promise<{ code: number; said: string[]; complained: string[] }> {
    const said: string[] = [];
    const complained: string[] = [];
    const code = await runArchiveCommand({
      name: 'notifier',
      tables,
      args: line.split(' ').filter((word) => word !== ''),
      env: {
        ...s3.env,
        DATABASE_URL: database.serviceUrl,
        DATABASE_MIGRATION_URL: database.url,
        LOG_LEVEL: 'silent',
        NODE_ENV: 'test',
      },
      say: (text) => said.push(text),
      complain: (text) => complained.push(text),
    });
    return { code, said, complained };
  }
  const DELIVERIES = 'webhook_finished_deliveries';

  it('when what there is is listed, then each object has a line, by day', async () => {
    const { code, said } = await run('list');
    expect([code, said.map((line) => line.split('  ').slice(0, 3))]).toEqual([
      0,
      [day(33), day(31)].map((one) => [one, DELIVERIES, '4 rows']),
    ]);
    expect((await run(`list ${DELIVERIES} --from ${day(32)}`)).said).toHaveLength(1);
  });

  it('when rows are printed by partner and order, then those of these days come, as CSV or as JSON', async () => {
    const of = `print ${DELIVERIES} --where partner_id=${mine?.partnerId}`;
    const csv = await run(of);
    expect(csv.said[0]).toMatch(/^id,event_id,subscription_id,/);
    expect(csv.said).toHaveLength(5);
    const json = await run(`${of} --where order_global_id=TOP-2 --to ${day(32)} --format json`);
    expect(json.said.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { subscription_id: mine?.id, is_test: false, redelivery: 0, attempts: [{ attemptNumber: 1 }] },
    ]);
  });

  it('when a day is loaded, then SQL has its rows, and once however often it is loaded', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await run(`load ${DELIVERIES} --to ${day(32)}`)).toMatchObject({
        code: 0,
        said: [`4 rows of ${day(33)} in archive.${DELIVERIES}`],
      });
    const { rows } = await database.pool.query(
      `SELECT partner_id, count(*)::int AS n, sum(jsonb_array_length(attempts))::int AS attempts
       FROM archive.${DELIVERIES} WHERE NOT is_test GROUP BY 1 ORDER BY 1`,
    );
    const partners = [mine?.partnerId, other?.partnerId].sort();
    expect(rows).toEqual(partners.map((partner_id) => ({ partner_id, n: 2, attempts: 2 })));
  });

  it('when an object is not what was archived, then each way of reading ends with its name', async () => {
    const name = readdirSync(s3.folder, { recursive: true, encoding: 'utf8' }).find((file) =>
      file.endsWith(`${day(31)}/day.csv.gz`),
    );
    const file = path.join(s3.folder, name ?? '');
    const content = readFileSync(file);
    appendFileSync(file, Buffer.from([0]));
    const object = `s3://archive/${name} is not what was archived`;
    for (const line of [`verify`, `print ${DELIVERIES}`, `load ${DELIVERIES} --from ${day(31)}`]) {
      const { code, complained } = await run(line);
      expect([line, code, complained]).toEqual([line, 1, [expect.stringContaining(object)]]);
    }
    expect((await database.pool.query(`SELECT 1 FROM archive.${DELIVERIES}`)).rowCount).toBe(4);
    writeFileSync(file, content);
    expect(await run('verify')).toMatchObject({ code: 0, said: ['2 of 2 objects are what was archived'] });
  });

  it('when the commands of the page are pasted, with days of this test, then they print what there is', async () => {
    const [page = ''] = samplesFor(__filename).flatMap(({ language, code }) =>
      language === 'bash' ? [code] : [],
    );
    const pasted = page
      .replaceAll('2026-10-27', day(31))
      .replaceAll('2026-10-01', day(40))
      .replaceAll('2026-10-31', day(0));
    const env = {
      ...s3.env,
      PATH: process.env['PATH'],
      DATABASE_URL: database.serviceUrl,
      DATABASE_MIGRATION_URL: database.url,
      NODE_ENV: 'test',
    };
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', pasted], { cwd: ROOT, env });
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain('day.csv.gz');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ order_global_id: 'TOP-1' });
    expect(lines[4]).toBe('2 of 2 objects are what was archived');
  });

  it.each([
    ['print', 'print needs a table; see --help'],
    ['list nowhere', `nowhere is not archived; these are: ${tables.join(', ')}`],
    ['list --from today', '--from must be a day such as 2026-10-27, not today'],
    [`print ${DELIVERIES} --where partner`, '--where must be <column>=<value>, not partner'],
    [`print ${DELIVERIES} --format xml`, '--format must be one of csv, json, not xml'],
    [`prnt ${DELIVERIES}`, 'prnt is none of list, print, verify and load; see --help'],
  ])('when it is called as %s, then it says what is wrong and does nothing', async (line, message) => {
    expect(await run(line)).toEqual({ code: 1, said: [], complained: [`notifier: ${message}`] });
  });
});
