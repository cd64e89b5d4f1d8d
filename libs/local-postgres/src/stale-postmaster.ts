import { existsSync, readFileSync, rmSync } from 'node:fs';
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
  const command = Number.isInteger(pid) && pid > 1 ? commandOf(pid) : undefined;
  if (command === undefined) return;
  if (!isPostgres(command)) {
    rmSync(lockFile, { force: true });
    return;
  }
  await endProcess(pid, timeoutMs);
}

const isPostgres = (command: string): boolean => /\bpostgres\b/.test(command);

async function endProcess(pid: number, timeoutMs: number): Promise<void> {
  const startedAt = Date.now();
  let sent: NodeJS.Signals | undefined;
  while (isPostgres(commandOf(pid) ?? '')) {
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
