import { commandOf } from '@reseller/local-postgres';
import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/** The parent of a process on Linux; elsewhere, and for a process that is gone, undefined. */
function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may hold anything; the parent is the second field after it.
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(fields.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/**
 * Calls once when the npm that runs this process as its script is gone: killed outright it cannot pass that on, and
 * nobody would hold the platform any more. Started in any other way, this does nothing.
 */
export function watchNpm(onGone: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  // Some shells stay between npm and its script.
  const hasShell = /^\S*sh -c /.test(commandOf(parent) ?? '');
  const npm = hasShell ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}
