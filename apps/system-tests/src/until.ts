import { pauseAfter } from '@reseller/testing';
import { setTimeout as pause } from 'node:timers/promises';

/** Reads until there is a response that is neither undefined nor false; throws after `limitMs`. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const response = await Promise.resolve()
      .then(read)
      // A service that is being killed may refuse the connection.
      .catch(() => undefined);
    if (response !== undefined && response !== false) return response;
    if (performance.now() > startedAt + limitMs) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await pause(pauseAfter(performance.now() - startedAt));
  }
}
