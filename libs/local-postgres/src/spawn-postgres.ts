import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { postgresBinaries } from './binaries';
import { planLaunch } from './launch-plan';

/** Where a cluster lives and how its server is set up; settings are those of postgresql.conf. */
interface ClusterServer {
  directory: string;
  port: number;
  settings: Record<string, string>;
}

/** Starts the server of an initialised cluster on 127.0.0.1; the child's pid is the postmaster's. */
export function spawnPostgres(server: ClusterServer, stdio: StdioOptions): ChildProcess {
  const directory = path.resolve(server.directory);
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...server.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const plan = planLaunch(
    postgresBinaries().postgres,
    ['-D', directory, '-p', String(server.port), ...flags],
    directory,
  );
  return spawn(plan.command, plan.args, {
    cwd: directory,
    stdio,
    // Only what PostgreSQL needs: a stray PG* variable of the caller must not change the server.
    env: { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
  });
}

/**
 * Ends a server: a fast shutdown first, an immediate one after half the time, SIGKILL at its end. Committed
 * transactions survive each of the three.
 */
export async function stopPostgres(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const immediate = setTimeout(() => child.kill('SIGQUIT'), timeoutMs / 2);
  const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(immediate);
  clearTimeout(kill);
}
