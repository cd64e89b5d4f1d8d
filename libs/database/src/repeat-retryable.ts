import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './database-errors';

/** How often work is tried, the first time included, and after which failures. */
export interface RepeatOptions {
  attempts?: number;
  /** Which failures run it again; a serialization failure and a deadlock by default. */
  shouldRepeat?: (error: unknown) => boolean;
}

/** Runs work that left nothing behind when it failed until it succeeds, 5 attempts in all by default. */
export async function repeatRetryable<T>(
  work: () => Promise<T>,
  { attempts = 5, shouldRepeat = isRetryable }: RepeatOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !shouldRepeat(error)) throw error;
      // Full jitter: those that collided must not meet again in step.
      await pause(Math.random() * Math.min(10 * 2 ** attempt, 200));
    }
  }
}
