import type { Pool, PoolClient } from 'pg';

/** How a client is given back. */
interface ClientUse {
  /** Whether a client is closed after work that failed; by default only when its connection is broken, or the work says so. */
  readonly closeOnFailure?: boolean;
  /** Whether the work appends no event, so that the outbox relay need not look after it. */
  readonly appendsNoEvent?: boolean;
}

const isComingBackWithout = new WeakSet<object>();

/**
 * Runs `work` with a client of the pool, gives the client back and passes on what became of the work. A client whose connection broke
 * meanwhile is closed, and so is one of which the work says that it does not know its state (`close`).
 */
export async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient, close: (why: Error) => void) => Promise<T>,
  { closeOnFailure = false, appendsNoEvent = false }: ClientUse = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const close = (why: Error): void => void (broken ??= why);
  // Such an error ends no process, for the pool listens too: here it says that the connection is of no more use.
  client.on('error', close);
  try {
    return await work(client, close);
  } catch (error) {
    if (closeOnFailure) close(error instanceof Error ? error : new Error(String(error)));
    throw error;
  } finally {
    client.off('error', close);
    if (appendsNoEvent) isComingBackWithout.add(client);
    client.release(broken);
    isComingBackWithout.delete(client);
  }
}

/** Whether what a connection is released from, at this moment, is known to have appended no event. */
export const appendedNoEvent = (client: object): boolean => isComingBackWithout.has(client);
