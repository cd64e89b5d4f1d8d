import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats the check until it neither throws nor rejects, and returns what it answered; after `timeoutMs` (5,000 unless
 * told) it rethrows the check's last failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const until = performance.now() + (options.timeoutMs ?? 5_000);
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (performance.now() >= until) throw failure;
      await pause(options.intervalMs ?? 20);
    }
  }
}
