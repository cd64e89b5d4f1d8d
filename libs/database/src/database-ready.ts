import type { Pool } from 'pg';
import { queryWithoutEvents } from './query';

/** A readiness check: rejects while the database gives this pool no connection. */
export function databaseReady(pool: Pool): () => Promise<void> {
  // Raw: asks for nothing but a connection.
  return async () => void (await queryWithoutEvents(pool, { name: 'ready', text: 'SELECT 1' }));
}
