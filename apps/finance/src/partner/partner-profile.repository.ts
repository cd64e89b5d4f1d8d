import { query, type PreparedStatement, type Queryable } from '@reseller/database';

const RECORD: PreparedStatement = {
  name: 'record_partner_profile',
  text: `INSERT INTO partner_profile (partner_id, display_currency, version) VALUES ($1, $2, $3)
         ON CONFLICT (partner_id) DO UPDATE
         SET display_currency = excluded.display_currency, version = excluded.version, updated_at = clock_timestamp()
         WHERE partner_profile.version < excluded.version`,
};

const FIND_VERSION: PreparedStatement = {
  name: 'find_partner_version',
  text: 'SELECT version FROM partner_profile WHERE partner_id = $1',
};

/** What finance keeps of a partner. */
export interface PartnerProfileRecord {
  partnerId: string;
  displayCurrency: string | undefined;
  /** Counts the partner's changes, from 1. */
  version: number;
}

/** Keeps finance's projection of identity's partners. */
export class PartnerProfileRepository {
  constructor(private readonly db: Queryable) {}

  /** Takes a partner's settings over within a transaction; an out-of-date version changes nothing. */
  async record(tx: Queryable, { partnerId, displayCurrency, version }: PartnerProfileRecord): Promise<void> {
    await query(tx, RECORD, [partnerId, displayCurrency ?? null, version]);
  }

  /** The newest version seen; 0 for a partner not heard of. */
  async findVersion(partnerId: string): Promise<number> {
    const [row] = await query<{ version: number }>(this.db, FIND_VERSION, [partnerId]);
    return row?.version ?? 0;
  }
}
