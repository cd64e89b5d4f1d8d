import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats the check until it neither throws nor rejects, and returns its result; after `timeoutMs` (60,000 by default:
 * only a check that fails waits so long, and a busy machine is slow) it rethrows the check's last failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const until = performance.now() + (options.timeoutMs ?? 60_000);
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (performance.now() >= until) throw failure;
      await pause(options.intervalMs ?? 20);
    }
  }
}
