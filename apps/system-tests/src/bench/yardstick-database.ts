import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** One service's schema and rows, to be brought into the yardstick's database. */
export interface SourceDatabase {
  readonly schema: string;
  readonly url: string;
  /** Folder of the service's migrations. */
  readonly migrations: string;
}

const DATABASE = 'bench_yardstick';

/**
 * Makes one database with the real schema of each service, a schema each, filled with the rows they hold now, so that one
 * pgbench script can run an order's statements of all services. Made anew each time; `drop` removes it.
 */
export async function createYardstickDatabase(
  sources: readonly SourceDatabase[],
): Promise<{ url: string; client: pg.Client; drop(): Promise<void> }> {
  const base = new URL(sources[0]?.url ?? '');
  base.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: base.toString() });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  // What two services both have (the outbox) is found in the first schema that has it.
  await admin.query(
    `ALTER DATABASE ${DATABASE} SET search_path = ${sources.map((each) => each.schema).join(', ')}`,
  );
  base.pathname = `/${DATABASE}`;
  const client = new pg.Client({ connectionString: base.toString() });
  // A platform that stops ends its connections; whoever uses them next is told.
  for (const each of [admin, client]) each.on('error', () => undefined);
  await client.connect();
  for (const source of sources) await bringIn(client, source);
  await client.query('RESET search_path');
  return {
    url: base.toString(),
    client,
    async drop() {
      await client.end();
      await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function bringIn(client: pg.Client, source: SourceDatabase): Promise<void> {
  await client.query(`CREATE SCHEMA ${source.schema}`);
  await client.query(`SET search_path = ${source.schema}`);
  // A routine may call one that comes after it.
  await client.query('SET check_function_bodies = off');
  for (const file of scriptsOf(source.migrations)) await client.query(readFileSync(file, 'utf8'));
  const from = new pg.Client({ connectionString: source.url });
  await from.connect();
  try {
    // Rows arrive in any order and were checked where they come from.
    await client.query('SET session_replication_role = replica');
    const tables = await tablesOf(client, source.schema);
    // All at once and beforehand: one by one, each would take with it what refers to it and was copied already.
    const names = tables.map((table) => `${source.schema}."${table}"`).join(', ');
    await client.query(`TRUNCATE ${names} CASCADE`);
    for (const table of tables) await copyTable(from, client, source.schema, table);
    await client.query('SET session_replication_role = DEFAULT');
  } finally {
    await from.end();
  }
}

/** The migrations in their order, then the routines beside them. */
function scriptsOf(migrations: string): string[] {
  const routines = path.join(migrations, '../routines');
  return [
    ...readdirSync(migrations)
      .sort()
      .map((folder) => path.join(migrations, folder, 'migration.sql')),
    ...(existsSync(routines) ? readdirSync(routines).sort() : []).map((file) => path.join(routines, file)),
  ].filter((file) => existsSync(file));
}

async function tablesOf(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p')
     AND NOT c.relispartition ORDER BY 1`,
    [schema],
  );
  return rows.map((row) => row.name);
}

async function copyTable(from: pg.Client, to: pg.Client, schema: string, table: string): Promise<void> {
  const { rows } = await from.query<{ all: string | null }>(
    `SELECT json_agg(t)::text AS all FROM "${table}" t`,
  );
  const all = rows[0]?.all;
  if (!all) return;
  const columns = await to.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [`${schema}."${table}"`],
  );
  const list = columns.rows.map((row) => row.name).join(', ');
  await to.query(
    `INSERT INTO ${schema}."${table}" (${list}) OVERRIDING SYSTEM VALUE
     SELECT ${list} FROM json_populate_recordset(NULL::${schema}."${table}", $1::json) ON CONFLICT DO NOTHING`,
    [all],
  );
  await moveSequences(to, schema, table);
}

async function moveSequences(to: pg.Client, schema: string, table: string): Promise<void> {
  const { rows } = await to.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
    [`${schema}."${table}"`],
  );
  for (const { name } of rows) {
    await to.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), greatest((SELECT max("${name}") FROM ${schema}."${table}"), 1))`,
      [`${schema}."${table}"`, name],
    );
  }
}
