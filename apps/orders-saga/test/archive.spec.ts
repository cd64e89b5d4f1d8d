import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { archiveAddress, archiveNext, ObjectStore, type ArchiveSource } from '@reseller/archive';
import { FakeFinance } from '@reseller/contract-testing';
import { createSessionPool, type SessionPool } from '@reseller/database';
import {
  createTestDatabase,
  eventually,
  s3Missing,
  silentLog,
  startS3,
  type TestDatabase,
  type TestS3,
} from '@reseller/testing';
import { parse } from 'csv-parse/sync';
import { runService } from '@reseller/service-kit';
import { journalSource } from '../src/archive/journal-archive.repository';
import { describeService } from '../src/service';
import {
  callOf,
  create,
  createEsim,
  esim,
  MIGRATIONS,
  startOrders,
  topup,
  type RunningOrders,
} from './start-orders';

const missing = s3Missing();
const describeOr = missing ? describe.skip : describe;

describeOr(`the archive of journals${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let s3: TestS3;
  let database: TestDatabase;
  let finance: FakeFinance;
  let service: RunningOrders;
  let sessions: SessionPool;
  let store: ObjectStore;

  beforeAll(async () => {
    s3 = await startS3();
    Object.assign(process.env, s3.env);
    database = await createTestDatabase({ migrations: MIGRATIONS });
    finance = await new FakeFinance('1000.00').start();
    service = await startOrders(database, finance);
    sessions = createSessionPool({
      connectionString: database.serviceUrl,
      max: 1,
      name: 'archive',
      log: silentLog,
    });
    store = new ObjectStore(archiveAddress({ ...s3.env, NODE_ENV: 'test', PLAINTEXT_ALLOWED: [] })!);
  }, 120_000);
  afterAll(async () => {
    await store.close();
    await sessions.end();
    await service.stop();
    await finance.stop();
    await database.drop();
    await s3.remove();
  });

  const archive = async (source: ArchiveSource, lockedBy = sessions): Promise<void> => {
    const deps = {
      service: 'orders-saga',
      pool: database.servicePool,
      sessions: lockedBy,
      store,
      log: silentLog,
    };
    while (await archiveNext([source], deps));
  };
  /** The source, whose next part is handed out once something else has happened. */
  const pausing = (source: ArchiveSource, meanwhile: () => Promise<unknown>): ArchiveSource => ({
    ...source,
    next: async () => {
      const part = await source.next();
      await meanwhile();
      return part;
    },
  });
  /** Everything that was archived so far, as its text and as rows. */
  const archived = (): { text: string; rows: { order_id: string; global_id: string; journal: string }[] } => {
    const text = readdirSync(s3.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.csv.gz'))
      .map((name) => gunzipSync(readFileSync(path.join(s3.folder, name))).toString());
    return { text: text.join(''), rows: text.flatMap((one) => parse(one, { columns: true })) };
  };
  const journalOf = async (orderId: string): Promise<string> =>
    (
      await database.pool.query<{ journal: string }>('SELECT journal FROM sagas WHERE order_id = $1', [
        orderId,
      ])
    ).rows[0]?.journal ?? '';

  it('when orders finished long ago, then their steps are archived without what names a person, and gone here', async () => {
    const phone = '+966500019999';
    const email = 'nadia@example.com';
    const top = await create(service, topup('9999', { phoneNumber: phone }), callOf());
    const plan = await createEsim(service, esim(undefined, { email }), callOf());
    await database.pool.query(
      `UPDATE sagas SET journal = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
         || ' ["vendor.submit",1,"Refused",{"vendor":"alpha","taken":false,"reason":"${phone} is no number of ours","notes":"call ${email}"}]'
         || E'\\n' || journal WHERE order_id = $1`,
      [top.orderId],
    );
    await archive(journalSource(database.servicePool, 86_400_000));
    expect(archived().rows).toEqual([]);
    await archive(journalSource(database.servicePool, 1));
    const { rows, text } = archived();
    expect(rows.map(({ order_id: id }) => id).sort()).toEqual([top.orderId, plan.orderId].sort());
    const row = rows.find(({ order_id: id }) => id === top.orderId);
    expect(row).toMatchObject({ global_id: top.orderGlobalId, status: 'Completed', product: 'Topup' });
    const journal = JSON.parse(row?.journal ?? '[]') as Record<string, unknown>[];
    expect(journal.at(-1)).toMatchObject({
      step: 'vendor.submit',
      outcome: 'Refused',
      vendor: 'alpha',
      taken: false,
    });
    expect(journal.length).toBeGreaterThan(3);
    const activation = [plan.esimIccid, plan.esimQrCode, plan.esimActivationCode].map(
      (one) => one ?? 'missing',
    );
    expect(activation).not.toContain('missing');
    for (const hidden of [phone, phone.slice(4), email, ...activation, 'reason', 'notes'])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    expect(await journalOf(top.orderId)).toBe('');
  });

  it('when somebody goes on with an order while its journal is archived, then none of these goes, and all are archived next time', async () => {
    const orders = [await create(service, topup(), callOf()), await create(service, topup(), callOf())];
    const [first] = orders;
    const source = journalSource(database.servicePool, 1);
    const meanwhile = pausing(source, () =>
      database.pool.query(
        `UPDATE sagas SET state = 'Active', wake_at = now() + interval '1 day' WHERE order_id = $1`,
        [first?.orderId],
      ),
    );
    await expect(archive(meanwhile)).rejects.toThrow('has 2 rows, of which 1 could be removed');
    expect(await Promise.all(orders.map(({ orderId }) => journalOf(orderId)))).not.toContain('');
    await database.pool.query(`UPDATE sagas SET state = 'Finished', wake_at = NULL WHERE order_id = $1`, [
      first?.orderId,
    ]);
    await archive(source);
    expect(await Promise.all(orders.map(({ orderId }) => journalOf(orderId)))).toEqual(['', '']);
  });

  it('when an instance is paused until another one has archived the same journals, then the object stays as that one wrote it', async () => {
    const order = await create(service, topup(), callOf());
    const source = journalSource(database.servicePool, 1);
    // Locks are a database's own: in another one it finds none, as when the first one's connection has died unnoticed.
    const elsewhere = createSessionPool({
      connectionString: Object.assign(new URL(database.url), { pathname: '/postgres' }).href,
      max: 1,
      name: 'archive elsewhere',
      log: silentLog,
    });
    const paused = pausing(source, () => archive(source, elsewhere));
    await expect(archive(paused)).rejects.toThrow('sagas: 0 rows were read, expected 1');
    await elsewhere.end();
    const row = archived().rows.find(({ order_id: id }) => id === order.orderId);
    expect(JSON.parse(row?.journal ?? '[]')).not.toEqual([]);
  });

  it('when the connection that holds its lock ends, then nothing is written any more', async () => {
    const order = await create(service, topup(), callOf());
    const before = archived().rows.length;
    const source = journalSource(database.servicePool, 1);
    const lost = pausing(source, async () => {
      await database.pool.query(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
           WHERE application_name = 'archive' AND datname = current_database()`,
      );
    });
    await expect(archive(lost)).rejects.toThrow(/has ended|aborted/);
    expect(archived().rows).toHaveLength(before);
    await archive(source);
    expect(await journalOf(order.orderId)).toBe('');
  });

  it('when the service runs with an archive, then its own job archives', async () => {
    const order = await create(service, topup(), callOf());
    const before = archived().rows.length;
    const archiving = await runService(describeService(MIGRATIONS), {
      ...s3.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.serviceUrl,
      EVENT_BUS_URL: database.url,
      FINANCE_ADDRESS: finance.address,
      SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
      SAGA_JOURNAL_RETENTION_MS: '1',
    });
    try {
      await eventually(async () => expect(await journalOf(order.orderId)).toBe(''));
      expect(archived().rows).toHaveLength(before + 1);
    } finally {
      await archiving.stop();
    }
  });
});
