import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { applyMigrations, createPool, fillIn } from '@reseller/database';
import { Client } from 'pg';
import type { Pool } from 'pg';
import { silentLog } from './silent-log';

/** A database of one test file; `drop` closes the pool and removes the database. */
export interface TestDatabase {
  /** An administrator's, for what a test arranges and looks at. */
  url: string;
  pool: Pool;
  /**
   * As the service connects in production: by a role that may do what the `grants.sql` beside the migrations says, and no
   * more. Without such a file these are the administrator's, too.
   */
  serviceUrl: string;
  servicePool: Pool;
  drop(): Promise<void>;
}

/**
 * Makes an empty database with the directory's migrations applied, on the server of the Jest run, in some 50 ms: the
 * migrations run once for each state of the directory, into a template that is then copied.
 */
export async function createTestDatabase(options: { migrations?: string } = {}): Promise<TestDatabase> {
  const { adminUrl, run } = serverOfThisRun();
  const name = `${run}_${randomBytes(6).toString('hex')}`;
  const template = options.migrations && (await ensureTemplate(adminUrl, run, options.migrations));
  // The other strategy, PostgreSQL's own choice, writes all of the template to the log: three times the CPU.
  const source = template ? ` TEMPLATE "${template}" STRATEGY FILE_COPY` : '';
  await withAdmin(adminUrl, (admin) => admin.query(`CREATE DATABASE "${name}"${source}`));
  const url = urlOf(adminUrl, name);
  const isGranted = options.migrations !== undefined && hasGrants(options.migrations);
  // A database's own privileges are not copied with its template.
  if (isGranted)
    await withAdmin(adminUrl, (admin) =>
      admin.query(
        `REVOKE ALL ON DATABASE "${name}" FROM PUBLIC; GRANT CONNECT ON DATABASE "${name}" TO "${serviceRole(run)}"`,
      ),
    );
  const serviceUrl = isGranted ? urlOf(adminUrl, name, run) : url;
  const open = (connectionString: string): Pool =>
    createPool({ connectionString, max: 10, name, log: silentLog, transactionTimeoutMs: 0 });
  const pool = open(url);
  const servicePool = serviceUrl === url ? pool : open(serviceUrl);
  // As migrations do first, where there are some.
  if (!template) await fillIn(pool);
  const drop = async (): Promise<void> => {
    await Promise.all([...new Set([pool, servicePool])].map(async (one) => one.ended || one.end()));
    await withAdmin(adminUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
  };
  return { url, pool, serviceUrl, servicePool, drop };
}

function serverOfThisRun(): { adminUrl: string; run: string } {
  const adminUrl = process.env['RESELLER_TEST_ADMIN_URL'];
  const run = process.env['RESELLER_TEST_RUN'];
  if (adminUrl && run) return { adminUrl, run };
  throw new Error(
    'there is no server for tests: the Jest set-up (libs/toolchain/jest.preset.cjs) starts one for a project of which a spec, or a file of test/, mentions createTestDatabase',
  );
}

async function ensureTemplate(adminUrl: string, run: string, directory: string): Promise<string> {
  const hash = hashOf(directory);
  const template = `${run}_tpl_${hash.slice(0, 16)}`;
  return withAdmin(adminUrl, async (admin) => {
    const isReady = async (): Promise<boolean> => {
      const found = await admin.query(
        'SELECT 1 FROM pg_database WHERE datname = $1 AND NOT datallowconn AND datistemplate',
        [template],
      );
      return found.rowCount === 1;
    };
    if (await isReady()) return template;
    // Session lock: several test files of a run may want the same template at once.
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template]);
    if (await isReady()) return template;
    await admin.query(`DROP DATABASE IF EXISTS "${template}" WITH (FORCE)`);
    await admin.query(`CREATE DATABASE "${template}"`);
    const runtimeRole = hasGrants(directory) ? serviceRole(run) : undefined;
    if (runtimeRole) await ensureRole(admin, runtimeRole, run);
    const connectionString = urlOf(adminUrl, template);
    await applyMigrations({ connectionString, directory, log: silentLog, runtimeRole });
    // Marked last, and closed to connections, which would make a copy fail: only a complete template is ready.
    await admin.query(`ALTER DATABASE "${template}" WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
    return template;
  });
}

function hashOf(migrations: string): string {
  const hash = createHash('sha256');
  const directory = path.dirname(migrations);
  const files = [migrations, path.join(directory, 'routines')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .concat(hasGrants(migrations) ? [grantsOf(migrations)] : [])
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.relative(directory, file));
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(directory, file)))
      .update('\0');
  return hash.digest('hex');
}

const grantsOf = (migrations: string): string => path.join(migrations, '../grants.sql');
const hasGrants = (migrations: string): boolean => existsSync(grantsOf(migrations));

/** One role stands for every service's: which tables it may use is each database's own. */
const serviceRole = (run: string): string => `${run}_service`;

/** The run's name is random, and so is the password that it makes. */
async function ensureRole(admin: Client, role: string, password: string): Promise<void> {
  await admin.query(`CREATE ROLE "${role}" LOGIN PASSWORD '${password}'`).catch((error: unknown) => {
    // Another test file of the run made it.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error;
  });
}

function urlOf(adminUrl: string, database: string, run?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (run) Object.assign(url, { username: serviceRole(run), password: run });
  return url.href;
}

async function withAdmin<T>(connectionString: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
