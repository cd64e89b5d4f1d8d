import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the process is still the one that worked in the folder: a number may have been given to another since. */
export function worksIn(directory: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
  } catch {
    return false;
  }
}

/** The processes that these have begun. */
export function childrenOf(parents: readonly number[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return parents.includes(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Sends a signal to a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** As whom Patroni runs; undefined for our own account where that is not root. */
export function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** Gives a file to that account. */
export function own(file: string): void {
  const owner = account();
  if (owner) chownSync(file, owner.uid, owner.gid);
}
