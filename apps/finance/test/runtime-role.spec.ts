import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import { MIGRATIONS } from './finance-service';

let database: TestDatabase;

/** All that a stolen DATABASE_URL of finance could be used for against the books, and what stands in its way. */
const attempts = [
  'UPDATE ledger_entries SET amount = 0',
  "UPDATE ledger_transactions SET op_key = 'other'",
  'UPDATE settlement_refunds SET refunded_amount = 0',
  'DELETE FROM ledger_entries',
  'DELETE FROM ledger_transactions',
  'DELETE FROM wallets',
  'DELETE FROM statements',
  'TRUNCATE ledger_entries',
  'TRUNCATE ledger_transactions CASCADE',
  'TRUNCATE wallets CASCADE',
  'ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
  'ALTER TABLE ledger_entries DISABLE TRIGGER USER',
  'ALTER TABLE wallets DISABLE TRIGGER ALL',
  'ALTER TABLE wallets ADD COLUMN mine int',
  'ALTER TABLE wallets OWNER TO CURRENT_USER',
  'DROP TRIGGER ledger_entries_append_only ON ledger_entries',
  'DROP TABLE ledger_entries',
  'DROP FUNCTION ledger_is_append_only CASCADE',
  'DROP SCHEMA public CASCADE',
  'CREATE TABLE mine (id int)',
  'CREATE TEMPORARY TABLE wallets (id int)',
  'CREATE SCHEMA mine',
  'CREATE FUNCTION mine() RETURNS int LANGUAGE sql RETURN 1',
  'CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
  'CREATE TRIGGER mine BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only()',
  'CREATE ROLE mine SUPERUSER',
  'CREATE DATABASE mine',
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'ALTER ROLE CURRENT_USER CREATEDB',
  // A grant of what one does not have is a warning, and nothing is granted.
  'GRANT DELETE ON ledger_entries TO CURRENT_USER; DELETE FROM ledger_entries',
  'SET session_replication_role = replica',
  "UPDATE _prisma_migrations SET checksum = ''",
  'DELETE FROM _routines',
  'DELETE FROM _grants',
  "COPY ledger_entries TO PROGRAM 'cat'",
  "SELECT pg_read_file('/etc/passwd')",
];

/** What the books hold, as the administrator sees it. */
const books = async (): Promise<unknown> =>
  (
    await database.pool.query(
      `SELECT (SELECT jsonb_agg(e ORDER BY e.tx_id, e.line) FROM ledger_entries AS e) AS entries,
         (SELECT jsonb_agg(t ORDER BY t.id) FROM ledger_transactions AS t) AS transactions,
         (SELECT jsonb_agg(w) FROM wallets AS w) AS wallets`,
    )
  ).rows;

const refusalOf = (sql: string): Promise<string> =>
  database.servicePool.query(sql).then(
    () => 'accepted',
    (error: unknown) => String((error as { code?: unknown }).code),
  );

const INSUFFICIENT_PRIVILEGE = '42501';

describe('the role that finance runs as', () => {
  beforeAll(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    const partnerId = randomUUID();
    await database.servicePool.query(
      `INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, 'live')`,
      [randomUUID(), partnerId],
    );
    const credit = { kind: 'credit', idempotencyKey: 'k', amount: '10.00', notes: '' } as const;
    await new LedgerRepository(database.servicePool, 900_000).apply({ partnerId, environment: 'live' }, [
      credit,
    ]);
  });
  afterAll(() => database.drop());

  it.each(attempts)('when it tries %s, then it is refused and the books are as they were', async (sql) => {
    const before = await books();
    expect(await refusalOf(sql)).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await books()).toEqual(before);
  });

  it('when it would be somebody else, the owner or the administrator, then it is refused', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT DISTINCT pg_get_userbyid(relowner) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT rolname FROM pg_roles WHERE rolsuper`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name } of rows) {
      expect([name, await refusalOf(`SET ROLE "${name}"`)]).toEqual([name, INSUFFICIENT_PRIVILEGE]);
      expect([name, await refusalOf(`SET SESSION AUTHORIZATION "${name}"`)]).toEqual([
        name,
        INSUFFICIENT_PRIVILEGE,
      ]);
    }
  });
});
