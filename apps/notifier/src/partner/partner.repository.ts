import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';

// Raw: an out-of-date version is refused in the same statement.
const RECORD: PreparedStatement = {
  name: 'record_webhook_partner',
  text: `INSERT INTO webhook_partners AS p (partner_id, is_frozen, version) VALUES ($1, $2, $3)
         ON CONFLICT (partner_id) DO UPDATE SET is_frozen = excluded.is_frozen, version = excluded.version
         WHERE p.version < excluded.version`,
};
const FIND_VERSION: PreparedStatement = {
  name: 'find_webhook_partner_version',
  text: 'SELECT version FROM webhook_partners WHERE partner_id = $1',
};

/** Keeps of identity's partners whether they are frozen; the claim of deliveries reads it. */
export class PartnerRepository {
  constructor(private readonly pool: Pool) {}

  /** Takes a version over; one that is out of date changes nothing. */
  async record(partnerId: string, isFrozen: boolean, version: number): Promise<void> {
    await query(this.pool, RECORD, [partnerId, isFrozen, version]);
  }

  /** The latest version of a partner that was seen, or 0. */
  async findVersion(partnerId: string): Promise<number> {
    const [row] = await query<{ version: number }>(this.pool, FIND_VERSION, [partnerId]);
    return row?.version ?? 0;
  }
}
