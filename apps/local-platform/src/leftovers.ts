import { commandOf } from '@reseller/local-postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceOf } from './instances';
import type { PlatformDescription } from './platform-file';

/** A pid may belong to some other program by now; one of ours runs a bundle of its own name. */
function isOurs(name: string, pid: number): boolean {
  return commandOf(pid)?.includes(`${serviceOf(name)}/main.js`) ?? false;
}

/**
 * Waits for the services of a killed starter to end, which they do by themselves, and kills those that take longer:
 * they hold ports, and must not work on the database beside their successors.
 */
export async function endLeftovers(
  stale: Partial<PlatformDescription> | undefined,
  waitMs = 8_000,
): Promise<void> {
  const pids = Object.entries(stale?.pids ?? {}).filter(([name, pid]) => name !== 'postgres' && pid > 1);
  const deadline = Date.now() + waitMs;
  for (const [name, pid] of pids) {
    while (isOurs(name, pid)) {
      if (Date.now() > deadline) killIfThere(pid);
      await sleep(100);
    }
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was looked at.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
