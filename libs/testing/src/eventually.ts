import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/** How long to wait before the next look: a fifth of what was waited, so that long waits cost little and short ones are prolonged by little. */
export const pauseAfter = (waitedMs: number): number =>
  Math.min(Math.max(waitedMs / 5, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);

/**
 * Repeats the check until it neither throws nor rejects, and returns its result; after `timeoutMs` (60,000 by default:
 * only a check that fails waits so long, and a busy machine is slow) it rethrows the check's last failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const startedAt = performance.now();
  const until = startedAt + (options.timeoutMs ?? 60_000);
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (performance.now() >= until) throw failure;
      await pause(options.intervalMs ?? pauseAfter(performance.now() - startedAt));
    }
  }
}
