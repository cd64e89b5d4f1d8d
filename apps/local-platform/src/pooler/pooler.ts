import { configurePgbouncer, keepsPreparedStatements, spawnPgbouncer } from '@reseller/local-postgres';
import path from 'node:path';
import type { DataDirectory } from '../data-directory';
import { databaseNames, type DatabaseOwner, type DatabaseUrls } from '../postgres/databases';
import { withClient } from '../postgres/database-roles';
import { keepServer } from '../processes/keep-server';
import type { ProcessPlan } from '../processes/managed-process';
import { ROLES } from '../roles';

/** The most connections that PostgreSQL has of each database's services, however many these are: 40 in all; with another service so many more. */
const POOL_SIZES: Record<DatabaseOwner, number> = {
  identity: 5,
  finance: 7,
  'orders-saga': 10,
  'scent-commerce': 5,
  notifier: 5,
  'vendor-simulator': 2,
  'event-bus': 6,
};
const owners = Object.keys(databaseNames) as DatabaseOwner[];
/** The same by the databases' names. */
export const poolSizes = Object.fromEntries(owners.map((owner) => [databaseNames[owner], POOL_SIZES[owner]]));
const STOP_MS = 2_000;

/** A PgBouncer between the services and PostgreSQL. */
export interface Pooler {
  readonly program: string;
  readonly port: number;
  /** What services have as DATABASE_POOLER. */
  readonly mode: 'transaction' | 'transaction-prepared';
}

/** The PgBouncer that PGBOUNCER_BIN names; undefined without. */
export function readPooler(takePort: () => number): Pooler | undefined {
  const program = process.env['PGBOUNCER_BIN']?.trim();
  if (!program) return undefined;
  const mode = keepsPreparedStatements(program) ? 'transaction-prepared' : 'transaction';
  return { program, port: takePort(), mode };
}

/** The same database as reached through the pooler. */
export const through = ({ port }: Pooler, url: string): string =>
  Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;

/** The address of its console, by the server's administrator. */
export const consoleUrl = (pooler: Pooler, server: string): string =>
  Object.assign(new URL(through(pooler, server)), { pathname: '/pgbouncer' }).href;

/** Writes its configuration for these databases and plans its process, which a keeper ends with the starter. */
export async function poolerPlan(
  bundle: string,
  data: DataDirectory,
  pooler: Pooler,
  urls: Record<DatabaseOwner, DatabaseUrls>,
): Promise<ProcessPlan> {
  const directory = path.join(data.root, 'pgbouncer');
  const server = new URL(urls.identity.admin);
  const admin = userOf(server.href);
  configurePgbouncer({
    ...pooler,
    directory,
    server: { host: server.hostname, port: Number(server.port || 5432) },
    poolSizes,
    logins: await loginsOf(server.href, [admin, ...owners.map((owner) => userOf(urls[owner].runtime))]),
    admin,
  });
  return {
    name: 'pgbouncer',
    script: bundle,
    args: [ROLES.keepPgbouncer, directory, String(pooler.port)],
    env: () => process.env,
    logFile: path.join(data.logs, 'pgbouncer.log'),
    stopMs: STOP_MS,
    reportsOwnPid: true,
  };
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/** What the server keeps of their passwords: enough for logins by SCRAM, and far cheaper than the passwords as text. */
function loginsOf(server: string, users: string[]): Promise<{ user: string; secret: string }[]> {
  return withClient(server, async (client) => {
    const { rows } = await client.query<{ user: string; secret: string }>(
      'SELECT rolname AS "user", rolpassword AS secret FROM pg_authid WHERE rolname = ANY ($1)',
      [users],
    );
    return rows;
  });
}

/** The process between the starter and PgBouncer. */
export async function supervisePgbouncer(directory: string, port: number): Promise<void> {
  const program = process.env['PGBOUNCER_BIN']?.trim() ?? '';
  const server = spawnPgbouncer(program, directory, ['ignore', 'inherit', 'inherit']);
  await keepServer({ name: 'pgbouncer', server, port, stop: () => void server.kill('SIGTERM') });
}
