import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { postgresBinaries } from './binaries';
import { clusterAccount, planLaunch } from './launch-plan';
import { ownCluster } from './own-cluster';

/**
 * Copies the data directory of a stopped cluster; all of it is on disk when it returns. Both have one system identifier, by which an
 * archive knows a cluster again; so each needs an archive of its own.
 */
export function copyCluster(from: string, into: string): void {
  cpSync(from, into, { recursive: true });
  ownCluster(into, clusterAccount(into));
  const { initdb, major } = postgresBinaries();
  // initdb does it for what it makes itself: a machine that dies after the start has all of the cluster.
  const method = major < 17 ? [] : ['--sync-method=syncfs'];
  run(initdb, ['--sync-only', ...method, `--pgdata=${into}`], into);
}

/** Gives the superuser of a stopped cluster another password, before any server listens on it. */
export function changePassword(directory: string, user: string, password: string): void {
  const role = `"${user.replaceAll('"', '""')}"`;
  const alter = `ALTER ROLE ${role} PASSWORD '${password.replaceAll("'", "''")}'\n`;
  run(postgresBinaries().postgres, ['--single', '-D', directory, 'template1'], directory, alter);
}

function run(binary: string, args: string[], directory: string, input?: string): void {
  const plan = planLaunch(binary, args, directory);
  const result = spawnSync(plan.command, plan.args, {
    cwd: directory,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
  });
  // A server by itself ends with 0 whatever its statement came to.
  const failure = /^.*\b(?:ERROR|FATAL|PANIC):.*$/m.exec(`${result.stdout}${result.stderr}`)?.[0];
  if (result.status === 0 && failure === undefined) return;
  const reason = result.error?.message ?? failure ?? `${result.stdout}${result.stderr}`.trim();
  throw new Error(`the copy of PostgreSQL's data directory could not be made ready: ${reason}`);
}
