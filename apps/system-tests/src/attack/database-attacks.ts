import { readFileSync } from 'node:fs';
import pg from 'pg';
import { lineOf, type Line } from '../abuse/verdict';
import type { PlatformDescription } from '../platform/platform-file';

/** Rows that are evidence, written once: what would change them. A link of the audit's chain is refused by its trigger. */
const EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  finance: [
    'DELETE FROM ledger_transactions',
    'DELETE FROM ledger_entries',
    'DELETE FROM settlement_refunds',
    'DELETE FROM statement_pieces',
    "UPDATE ledger_transactions SET op_key = 'other'",
    'UPDATE ledger_entries SET amount = 0',
    'UPDATE settlement_refunds SET refunded_amount = 0',
  ],
  identity: [
    'DELETE FROM audit_entries',
    "UPDATE audit_entries SET action = 'other'",
    "UPDATE audit_entries SET hash = repeat('0', 64)",
    'UPDATE audit_entries SET sequence = sequence + 1',
  ],
};

/** What no service needs, whatever its tables are. */
const ANYWHERE: readonly string[] = [
  'CREATE TABLE by_an_attacker (id int)',
  'CREATE SCHEMA by_an_attacker',
  "CREATE FUNCTION by_an_attacker() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  'SET session_replication_role = replica',
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'ALTER ROLE CURRENT_USER CREATEROLE',
  'CREATE ROLE by_an_attacker',
  'CREATE EXTENSION file_fdw',
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "SELECT pg_read_file('/etc/hostname')",
];

const ofTable = (table: string): string[] => [
  `DROP TABLE ${table} CASCADE`,
  `TRUNCATE ${table} CASCADE`,
  `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
  `ALTER TABLE ${table} ADD COLUMN by_an_attacker int`,
  `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
  `CREATE TRIGGER by_an_attacker BEFORE INSERT ON ${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
  `CREATE RULE by_an_attacker AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
];

/** As which role and where a service is connected: whoever reads its environment has this. */
function databaseUrlOf(pid: number): string {
  const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .find((line) => line.startsWith('DATABASE_URL='));
  if (!entry) throw new Error(`process ${pid} has no DATABASE_URL`);
  return entry.slice('DATABASE_URL='.length);
}

/** What the role of each service tries on its own database and on the others', each statement in a transaction that is rolled back. */
export async function databaseLines({ databases, pids }: PlatformDescription): Promise<Line[]> {
  const lines = [];
  for (const service of Object.keys(databases)) {
    const url = databaseUrlOf(pids[service] ?? 0);
    const faults = await tryAll(url, service);
    const others = Object.keys(databases).filter((other) => other !== service);
    for (const other of others)
      if (await enters(url, databases[other] ?? '')) faults.wrong.push(`it enters the database of ${other}`);
    lines.push(
      lineOf(
        `the database role of ${service}`,
        `${faults.tried + others.length} statements`,
        'all refused',
        faults.wrong,
      ),
    );
  }
  return lines;
}

async function tryAll(url: string, service: string): Promise<{ tried: number; wrong: string[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; owner: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name, tableowner AS owner FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const owners = new Set(rows.map(({ owner }) => owner));
    const statements = [
      ...ANYWHERE,
      ...[...owners].flatMap((owner) => [`SET ROLE ${owner}`, `GRANT ${owner} TO CURRENT_USER`]),
      ...rows.flatMap(({ name }) => ofTable(name)),
      ...(EVIDENCE[service] ?? []),
    ];
    const wrong = [];
    for (const statement of statements) {
      const code = await codeOf(client, statement);
      if (!REFUSED.has(code)) wrong.push(`${statement}: ${code}`);
    }
    return { tried: statements.length, wrong };
  } finally {
    await client.end();
  }
}

/** insufficient_privilege, and raise_exception of a trigger. */
const REFUSED = new Set(['42501', 'P0001']);

async function codeOf(client: pg.Client, statement: string): Promise<string> {
  await client.query('BEGIN');
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.query('ROLLBACK');
  }
}

async function enters(own: string, other: string): Promise<boolean> {
  const url = new URL(own);
  url.pathname = new URL(other).pathname;
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
