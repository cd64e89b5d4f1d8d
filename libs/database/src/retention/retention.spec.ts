import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { removeExpired } from './retention';
import { nextBatch, type RetentionRule } from './rule';

const HOUR_MS = 3_600_000;

describe('retention', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(`
      CREATE TABLE parents (id int PRIMARY KEY, state text NOT NULL DEFAULT 'Done', ended_at timestamptz NOT NULL);
      CREATE TABLE children (parent_id int NOT NULL REFERENCES parents, n int);
      CREATE INDEX ON parents (ended_at) WHERE state = 'Done';`);
  });
  afterEach(() => database.drop());

  const rule = (changes: Partial<RetentionRule> = {}): RetentionRule => ({
    table: 'parents',
    among: `state = 'Done'`,
    oldestFirst: 'ended_at',
    expired: 'ended_at < $1',
    with: [{ table: 'children', column: 'parent_id', key: 'id' }],
    keepMs: 10 * HOUR_MS,
    ...changes,
  });
  /** Rows one hour apart, the first an hour old. */
  const fill = (count: number): Promise<unknown> =>
    database.pool.query(
      `WITH p AS (INSERT INTO parents (id, ended_at) SELECT n, now() - n * interval '1 hour' FROM generate_series(1, $1) AS n RETURNING id)
       INSERT INTO children SELECT id, 1 FROM p`,
      [count],
    );
  const ids = async (table = 'parents', column = 'id'): Promise<number[]> => {
    const { rows } = await database.pool.query<{ id: number }>(
      `SELECT ${column} AS id FROM ${table} ORDER BY 1`,
    );
    return rows.map(({ id }) => id);
  };
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
  const run = (rules: RetentionRule[], metrics?: Registry): Promise<boolean> =>
    removeExpired(rules, { pool: database.pool, log: silentLog, metrics });

  it('when rows have had their time, then they and what belongs to them go turn by turn, and younger ones stay', async () => {
    await fill(30);
    const metrics = new Registry();
    expect(await run([rule({ batch: 7 })], metrics)).toBe(false);
    expect(await ids()).toEqual(upTo(9));
    expect(await ids('children', 'parent_id')).toEqual(upTo(9));
    expect(await metrics.metrics()).toContain('retention_removed_rows_total{table="parents"} 21');
  });

  it('when rows age by a column that is called at, then it is that one', async () => {
    await database.pool.query('ALTER TABLE parents RENAME COLUMN ended_at TO at');
    await database.pool.query(
      `INSERT INTO parents (id, at) SELECT n, now() - n * interval '1 hour' FROM generate_series(1, 30) AS n`,
    );
    await run([rule({ oldestFirst: 'at', expired: 'at < $1' })]);
    expect(await ids()).toEqual(upTo(9));
  });

  it('when much is due, then turns grow while they are short, and shrink when they are long, but never below the first', () => {
    const of = rule({ batch: 100 });
    expect(nextBatch(of, 100, 10)).toBe(200);
    expect(nextBatch(of, 1_600, 10)).toBe(1_600);
    expect(nextBatch(of, 800, 150)).toBe(800);
    expect(nextBatch(of, 800, 1_000)).toBe(400);
    expect(nextBatch(of, 100, 1_000)).toBe(100);
  });

  it('when time goes on, then the next run removes what has come of age since', async () => {
    await fill(12);
    await run([rule()]);
    expect(await ids()).toEqual(upTo(9));
    await database.pool.query(`UPDATE parents SET ended_at = ended_at - interval '3 hours'`);
    await run([rule()]);
    expect(await ids()).toEqual(upTo(6));
  });

  it('when old rows are not done, then they stay and hold up no others', async () => {
    await fill(30);
    await database.pool.query(`UPDATE parents SET state = 'Open' WHERE id > 20`);
    await run([rule({ batch: 3 })]);
    expect(await ids()).toEqual([...upTo(9), ...upTo(30).slice(20)]);
  });

  it('when another instance has its turn at the table, then this one leaves it alone', async () => {
    await fill(30);
    const other = await database.pool.connect();
    await other.query(
      `BEGIN; SELECT pg_advisory_xact_lock(hashtext('reseller.retention'), hashtext('parents'))`,
    );
    await run([rule()]);
    expect(await ids()).toHaveLength(30);
    await other.query('COMMIT');
    other.release();
    await run([rule()]);
    expect(await ids()).toEqual(upTo(9));
  });

  it('when one rule fails, then the others have their turn and the run says so', async () => {
    await fill(30);
    await expect(run([rule({ table: 'nowhere', with: [] }), rule()])).rejects.toThrow('nowhere');
    expect(await ids()).toEqual(upTo(9));
  });
});
