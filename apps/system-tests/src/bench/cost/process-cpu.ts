import { readdirSync, readFileSync } from 'node:fs';

/** Of a clock tick in /proc: USER_HZ is 100 on every architecture that Node.js runs on. */
export const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  /** utime and stime. */
  readonly ownMs: number;
  /** cutime and cstime: of children that ended and were waited for. */
  readonly endedChildrenMs: number;
}

/** What /proc says about a process; undefined when it is no more. */
function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // After the name, which is in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number): number => Number(fields[index]);
  return {
    parent: at(1),
    ownMs: (at(11) + at(12)) * TICK_MS,
    endedChildrenMs: (at(13) + at(14)) * TICK_MS,
  };
}

/** CPU milliseconds that a process used so far; 0 when it is no more. */
export const cpuOf = (pid: number): number => readStat(pid)?.ownMs ?? 0;

/** CPU milliseconds of the children of a process that ended. */
export const cpuOfEndedChildren = (pid: number): number => readStat(pid)?.endedChildrenMs ?? 0;

/** The parent of a process. */
export const parentOf = (pid: number): number => readStat(pid)?.parent ?? 0;

/** CPU milliseconds of each child of a process. */
export function cpuOfChildren(parent: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat?.parent === parent) found.set(Number(name), stat.ownMs);
  }
  return found;
}
