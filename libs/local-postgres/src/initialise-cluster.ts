import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresBinaries } from './binaries';
import { changePassword, copyCluster } from './copy-cluster';
import { clusterAccount, planLaunch } from './launch-plan';

/** Which cluster to make. */
interface NewCluster {
  directory: string;
  /** Its one superuser. */
  user: string;
  password: string;
  /** The data directory of a cluster that was stopped and has this superuser: the new one begins as its copy. */
  copyOf?: string | undefined;
  /** A copy of that one, for whoever comes first: where it is there, it is moved instead of making another. */
  spare?: string | undefined;
}

/** How initdb is called, but for whose cluster it is; two clusters made with the same are alike. */
export function initdbArguments(): string[] {
  // The builtin provider is of 17; before it characters are the system's C.UTF-8.
  const locale =
    postgresBinaries().major < 17
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return ['--encoding=UTF8', ...locale, '--auth=scram-sha-256'];
}

/**
 * Makes a PostgreSQL cluster in the directory, with one superuser; does nothing and returns false when there is one. A crash in the
 * middle leaves no half cluster behind: the directory appears by rename.
 */
export function initialiseCluster({ user, password, copyOf, spare, ...options }: NewCluster): boolean {
  const directory = path.resolve(options.directory);
  if (existsSync(path.join(directory, 'PG_VERSION'))) return false;
  mkdirSync(path.dirname(directory), { recursive: true });
  const draft = `${directory}.new`;
  rmSync(draft, { recursive: true, force: true });
  if (copyOf === undefined) runInitdb(draft, user, password);
  else {
    if (spare === undefined || !isMoved(spare, draft)) copyCluster(copyOf, draft);
    changePassword(draft, user, password);
  }
  renameSync(draft, directory);
  return true;
}

/** Somebody else may have moved it, or it is on another disk. */
function isMoved(from: string, into: string): boolean {
  try {
    renameSync(from, into);
    return true;
  } catch {
    return false;
  }
}

function runInitdb(directory: string, user: string, password: string): void {
  const { initdb } = postgresBinaries();
  const passwordFile = `${directory}.password`;
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const account = clusterAccount(directory);
  if (account) for (const file of [directory, passwordFile]) chownSync(file, account.uid, account.gid);
  const own = [`--pgdata=${directory}`, `--username=${user}`, `--pwfile=${passwordFile}`];
  const plan = planLaunch(initdb, [...own, ...initdbArguments()], directory);
  const result = spawnSync(plan.command, plan.args, {
    cwd: directory,
    encoding: 'utf8',
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
  });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    const reason = result.error?.message ?? `${result.stdout}${result.stderr}`.trim();
    throw new Error(`PostgreSQL's data directory could not be made: ${reason}`);
  }
}
