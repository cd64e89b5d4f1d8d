import { setTimeout as pause } from 'node:timers/promises';

/** An event that is still handled after so long, in a process that still runs its timers, does not end it. */
const ACQUIT_AFTER_MS = 5_000;

let tail: Promise<void> = Promise.resolve();

/** A place in the line of all who try a suspect in this process, whatever their bus, group or partition. */
function queue(): { turn: Promise<void>; leave: () => void } {
  const turn = tail;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  tail = turn.then(() => left);
  return { turn, leave };
}

/** What trying a suspect takes. */
interface Trial {
  restMs: number;
  signal: AbortSignal;
  /** Counts the attempt, durably; false when the partition is another's. */
  begin: () => Promise<boolean>;
  /** Takes the attempt back: the event is being handled, and the process lives. */
  acquit: () => Promise<unknown>;
  run: () => Promise<boolean>;
}

/**
 * Tries an event that was in flight when a process ended. Many events are, and at most one of them ended it: each is tried
 * alone, after a rest, and only an end of the process during such a trial counts against it. A process that is killed from
 * outside, or ended by another event, has to hit the same short trial time after time to have an innocent one dead-lettered.
 */
export async function trySuspect({ restMs, signal, begin, acquit, run }: Trial): Promise<boolean> {
  await pause(restMs, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return false;
  const { turn, leave } = queue();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (onAbort = resolve));
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([turn, aborted]);
    if (signal.aborted || !(await begin())) return false;
    const timer = setTimeout(() => {
      leave();
      // Not written, the attempt counts against the event: there are more of them before it is dead-lettered.
      acquit().catch(() => undefined);
    }, ACQUIT_AFTER_MS);
    return await run().finally(() => clearTimeout(timer));
  } finally {
    signal.removeEventListener('abort', onAbort);
    leave();
  }
}
