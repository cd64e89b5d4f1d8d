import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostgres(pid: number): boolean {
  const result = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
  return /postgres|postmaster/.test(result.stdout ?? '');
}

/**
 * Ends a server that an earlier owner of the cluster left behind, and removes a lock file whose process is gone or
 * whose pid belongs to another program by now. Call it only while nobody else may use the directory.
 */
export async function endStalePostmaster(directory: string, timeoutMs = 10_000): Promise<void> {
  const lockFile = path.join(directory, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !isPostgres(pid)) {
    rmSync(lockFile, { force: true });
    return;
  }
  const startedAt = Date.now();
  for (let sent: NodeJS.Signals | undefined; isAlive(pid) && isPostgres(pid); await sleep(50)) {
    const waited = (Date.now() - startedAt) / timeoutMs;
    const due: NodeJS.Signals = waited < 0.5 ? 'SIGINT' : waited < 1 ? 'SIGQUIT' : 'SIGKILL';
    if (due !== sent) kill(pid, due);
    sent = due;
  }
  if (existsSync(lockFile)) rmSync(lockFile, { force: true });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
