import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { postgresBinaries } from './binaries';
import { clusterAccount, planLaunch } from './launch-plan';
import { ownCluster } from './own-cluster';

/** Which stopped cluster becomes which new one, and the password that its superuser has there. */
export interface ClusterCopy {
  from: string;
  into: string;
  user: string;
  password: string;
}

/**
 * Copies the data directory of a stopped cluster and gives its superuser another password before any server listens on the copy. Both have
 * one system identifier, by which an archive tells clusters apart; so each needs an archive of its own.
 */
export function copyCluster({ from, into, user, password }: ClusterCopy): void {
  cpSync(from, into, { recursive: true });
  ownCluster(into, clusterAccount(into));
  const { initdb, postgres, major } = postgresBinaries();
  const role = `"${user.replaceAll('"', '""')}"`;
  const alter = `ALTER ROLE ${role} PASSWORD '${password.replaceAll("'", "''")}'\n`;
  run(postgres, ['--single', '-D', into, 'template1'], into, alter);
  // initdb does it for what it makes itself: a machine that dies after the start has all of the cluster.
  const method = major < 17 ? [] : ['--sync-method=syncfs'];
  run(initdb, ['--sync-only', ...method, `--pgdata=${into}`], into);
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
