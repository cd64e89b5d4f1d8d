import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clusterAccount, planLaunch } from './launch-plan';
import { commandOf } from './process-table';

/** A PgBouncer in transaction mode, between whoever connects to `port` and a server. */
interface PgbouncerPlan {
  /** Its configuration and the secrets that it knows; nobody else reads them. */
  directory: string;
  program: string;
  port: number;
  server: { host: string; port: number };
  /** The most server connections that each database's clients share, by its name. */
  poolSizes: Readonly<Record<string, number>>;
  /** Who may connect to it, and so to the server, with the SCRAM secret that the server has of each. */
  logins: readonly { user: string; secret: string }[];
  /** Who may use its console, one of those above. */
  admin: string;
}

const MOST_CLIENTS = 5_000;
const PREPARED_STATEMENTS = 1_000;
/** Shorter than a service waits for a connection, so that its callers get a response and not a time-out. */
const QUERY_WAIT_S = 5;

/** Whether it keeps prepared statements for its clients, as PgBouncer does since 1.21. */
export function keepsPreparedStatements(program: string): boolean {
  const [, major = 0, minor = 0] = (
    /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
  ).map(Number);
  return major > 1 || minor >= 21;
}

const fileOf = (directory: string, name: string): string => path.join(path.resolve(directory), name);

/** Writes what it is started with. */
export function configurePgbouncer(plan: PgbouncerPlan): void {
  const { directory, logins } = plan;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const users = logins.map(({ user, secret }) => `${quoted(user)} ${quoted(secret)}\n`).join('');
  const files = { 'userlist.txt': users, 'pgbouncer.ini': configuration(plan) };
  for (const [name, text] of Object.entries(files))
    writeFileSync(fileOf(directory, name), text, { mode: 0o600 });
  const account = clusterAccount(directory);
  if (account)
    for (const file of [directory, ...Object.keys(files).map((name) => fileOf(directory, name))])
      chownSync(file, account.uid, account.gid);
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function configuration({ directory, program, port, server, poolSizes, admin }: PgbouncerPlan): string {
  const databases = Object.entries(poolSizes).map(
    ([name, size]) => `${name} = host=${server.host} port=${server.port} pool_size=${size}`,
  );
  return `[databases]
${databases.join('\n')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pidfile = ${fileOf(directory, 'pgbouncer.pid')}
auth_type = scram-sha-256
auth_file = ${fileOf(directory, 'userlist.txt')}
admin_users = ${admin}
pool_mode = transaction
max_client_conn = ${MOST_CLIENTS}
query_wait_timeout = ${QUERY_WAIT_S}
log_connections = 0
log_disconnections = 0
${keepsPreparedStatements(program) ? `max_prepared_statements = ${PREPARED_STATEMENTS}\n` : ''}`;
}

/** Starts it, once the one that worked in the directory before has ended; the child's pid is its own. */
export function spawnPgbouncer(program: string, directory: string, stdio: StdioOptions): ChildProcess {
  endStale(directory);
  const plan = planLaunch(program, ['-q', fileOf(directory, 'pgbouncer.ini')], directory);
  return spawn(plan.command, plan.args, {
    cwd: path.resolve(directory),
    stdio,
    env: { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
  });
}

function endStale(directory: string): void {
  const pidFile = fileOf(directory, 'pgbouncer.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  // It keeps nothing; its clients connect again.
  if (pid > 1 && commandOf(pid)?.includes(fileOf(directory, 'pgbouncer.ini'))) process.kill(pid, 'SIGKILL');
}
