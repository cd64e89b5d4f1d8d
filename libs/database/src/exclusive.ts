import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { query } from './query';
import type { SessionPool } from './session-pool';
import { withClient } from './with-client';

const TRY_LOCK = {
  name: 'exclusive_try_lock',
  text: `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS is_mine`,
};
const UNLOCK = {
  name: 'exclusive_unlock',
  text: `SELECT pg_advisory_unlock(hashtextextended($1, 0))`,
};
const ASK_AGAIN_MS = 50;

/**
 * Runs `fn` on a connection that alone holds the name's lock in this database; waits for it until a time (by
 * performance.now()) and returns undefined when it was not to be had. A process that dies gives it up at once. The signal fires when
 * the connection ends, for from then on another process may have the lock.
 */
export async function exclusively<T>(
  sessions: SessionPool,
  name: string,
  waitUntil: number,
  fn: (client: PoolClient, held: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const done = await withClient(sessions, async (client, close) => {
      const [row] = await query<{ is_mine: boolean }>(client, TRY_LOCK, [name]);
      if (!row?.is_mine) return undefined;
      const lost = new AbortController();
      const lose = (): void => lost.abort(new Error(`the connection that held the lock "${name}" has ended`));
      client.once('end', lose);
      try {
        return { result: await fn(client, lost.signal) };
      } finally {
        client.off('end', lose);
        // A connection that cannot say so is closed, which frees the lock too.
        await query(client, UNLOCK, [name]).catch(close);
      }
    });
    if (done) return done.result;
    if (performance.now() >= waitUntil) return undefined;
    await pause(ASK_AGAIN_MS);
  }
}
