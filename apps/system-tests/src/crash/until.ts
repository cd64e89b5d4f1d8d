import { setTimeout as pause } from 'node:timers/promises';

/** Asks again every 25 ms until there is an answer that is neither undefined nor false; throws after `limitMs`. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      // A service that is being killed may refuse the connection.
      .catch(() => undefined);
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await pause(25);
  }
}
