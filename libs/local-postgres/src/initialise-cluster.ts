import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresBinaries } from './binaries';
import { clusterAccount, planLaunch } from './launch-plan';

/**
 * Makes a PostgreSQL cluster in the directory, with one superuser; does nothing when there is one. A crash in the
 * middle leaves no half cluster behind: the directory appears by rename.
 */
export function initialiseCluster(options: { directory: string; user: string; password: string }): void {
  const directory = path.resolve(options.directory);
  if (existsSync(path.join(directory, 'PG_VERSION'))) return;
  mkdirSync(path.dirname(directory), { recursive: true });
  const draft = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  const account = clusterAccount(draft);
  if (account) for (const file of [draft, passwordFile]) chownSync(file, account.uid, account.gid);
  try {
    runInitdb(draft, options.user, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, directory);
}

function runInitdb(directory: string, user: string, passwordFile: string): void {
  const { initdb, postgres } = postgresBinaries();
  for (const binary of [initdb, postgres]) chmodIfNeeded(binary);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${user}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const plan = planLaunch(initdb, [`--pgdata=${directory}`, ...access, ...locale], directory);
  const result = spawnSync(plan.command, plan.args, {
    cwd: directory,
    encoding: 'utf8',
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
  });
  if (result.status !== 0) {
    const reason = result.error?.message ?? `${result.stdout}${result.stderr}`.trim();
    throw new Error(`PostgreSQL's data directory could not be made: ${reason}`);
  }
}

/** Some archives lose the executable bit on the way through npm. */
function chmodIfNeeded(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // Read-only installations keep the mode they were given; the start below tells if it will not do.
  }
}
