import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase } from './create-test-database';

const script = `
CREATE TABLE notes (id int PRIMARY KEY, body text NOT NULL);
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.body := upper(NEW.body); RETURN NEW;
END;
$$;
CREATE TRIGGER notes_shout BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION shout();
`;

describe('createTestDatabase', () => {
  let migrations: string;

  beforeAll(() => {
    migrations = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
    mkdirSync(path.join(migrations, '20260101000000_init'));
    writeFileSync(path.join(migrations, '20260101000000_init', 'migration.sql'), script);
  });

  afterAll(() => rmSync(migrations, { recursive: true }));

  it('when several are made from one directory at once, then each has the migrations and none sees the others', async () => {
    const databases = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase({ migrations })));
    const counts = await Promise.all(
      databases.map(async ({ pool }, index) => {
        await pool.query('INSERT INTO notes SELECT n, $1 FROM generate_series(0, $2) n', ['low', index]);
        const { rows } = await pool.query('SELECT count(*) AS n, min(body) AS body FROM notes');
        return rows[0];
      }),
    );
    expect(counts).toEqual([1, 2, 3, 4].map((n) => ({ n: String(n), body: 'LOW' })));
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('when no migrations are named, then the database is empty, and dropping removes it', async () => {
    const database = await createTestDatabase();
    const { rows } = await database.pool.query("SELECT to_regclass('notes') AS found");
    expect(rows).toEqual([{ found: null }]);
    const other = await createTestDatabase();
    await database.drop();
    const left = await other.pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      new URL(database.url).pathname.slice(1),
    ]);
    expect(left.rowCount).toBe(0);
    await other.drop();
  });
});
