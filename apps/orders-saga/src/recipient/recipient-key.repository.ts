import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';

// Raw: of several instances that offer a key for a new day, all get the one that came first.
const KEEP_OR_FIND: PreparedStatement = {
  name: 'recipient_key_keep_or_find',
  text: `INSERT INTO recipient_keys (day, key) VALUES ($1, $2)
         ON CONFLICT (day) DO UPDATE SET day = excluded.day RETURNING key`,
};

/** Keeps one key for each day. */
export class RecipientKeyRepository {
  constructor(private readonly pool: Pool) {}

  /** The key of a day (`YYYY-MM-DD`), which is the given one if there was none. */
  async keepOrFind(day: string, key: Buffer): Promise<Buffer> {
    const [kept] = await query<{ key: Buffer }>(this.pool, KEEP_OR_FIND, [day, key]);
    if (!kept) throw new Error('a day has no key');
    return kept.key;
  }
}
