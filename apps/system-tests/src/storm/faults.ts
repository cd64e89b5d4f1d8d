import { setTimeout as pause } from 'node:timers/promises';
import type { CrashFile } from '../crash/crash-file';
import { killService, whileStopped } from '../platform/processes';
import type { Fault } from './plan';

/** Lets the faults of a plan befall the platform one after the other, until they are over or there is nothing to hit. */
export async function befall(
  faults: readonly Fault[],
  crashFile: CrashFile,
  isOver: () => boolean,
): Promise<void> {
  for (const { kind, target, afterMs, forMs } of faults) {
    await pause(afterMs);
    if (isOver()) break;
    if (kind === 'crash-point') crashFile.arm(target);
    else if (kind === 'kill') await killService(target).catch(unlessDead);
    else await whileStopped(target, () => pause(forMs)).catch(unlessDead);
  }
}

// It has just died of another fault.
function unlessDead(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ESRCH') throw error;
}
