import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf } from './process-table';

/**
 * Ends a server that an earlier owner of the cluster left behind. A lock file whose process is gone stays for
 * PostgreSQL, which learns from it whether backends of the dead server still live; only one whose pid now belongs to
 * another program is removed. Call it only while nobody else may use the directory.
 */
export async function endStalePostmaster(directory: string, timeoutMs = 10_000): Promise<void> {
  const lockFile = path.join(directory, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || commandOf(pid) === undefined) return;
  if (!servesCluster(pid, directory)) {
    rmSync(lockFile, { force: true });
    return;
  }
  await endProcess(pid, directory, timeoutMs);
}

/** Whether the process is a server of this very cluster: after a reboot the pid may be another cluster's server. */
function servesCluster(pid: number, directory: string): boolean {
  if (!/\bpostgres\b/.test(commandOf(pid) ?? '')) return false;
  try {
    // A server works in its data directory.
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    // No /proc to ask, or it has just ended, which the next look at its command shows.
    return /\bpostgres\b/.test(commandOf(pid) ?? '');
  }
}

async function endProcess(pid: number, directory: string, timeoutMs: number): Promise<void> {
  const startedAt = Date.now();
  let sent: NodeJS.Signals | undefined;
  while (servesCluster(pid, directory)) {
    const waited = (Date.now() - startedAt) / timeoutMs;
    const due: NodeJS.Signals = waited < 0.5 ? 'SIGINT' : waited < 1 ? 'SIGQUIT' : 'SIGKILL';
    if (due !== sent) signal(pid, due);
    sent = due;
    await sleep(50);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
