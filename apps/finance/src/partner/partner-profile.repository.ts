import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PrismaClient } from '../generated/prisma/client';

// Raw: one statement, so that of two events at once the newer version wins.
const RECORD: PreparedStatement = {
  name: 'record_partner_profile',
  text: `INSERT INTO partner_profiles (partner_id, display_currency, version) VALUES ($1, $2, $3)
         ON CONFLICT (partner_id) DO UPDATE
         SET display_currency = excluded.display_currency, version = excluded.version, updated_at = clock_timestamp()
         WHERE partner_profiles.version < excluded.version
         RETURNING true`,
};

/** What finance keeps of a partner. */
interface PartnerProfileRecord {
  partnerId: string;
  displayCurrency: string | undefined;
  /** Counts the partner's changes, from 1. */
  version: number;
}

/** Keeps finance's projection of identity's partners. */
export class PartnerProfileRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Takes a partner's settings over within a transaction; false for an out-of-date version, which changes nothing. */
  async record(
    tx: Queryable,
    { partnerId, displayCurrency, version }: PartnerProfileRecord,
  ): Promise<boolean> {
    const recorded = await query(tx, RECORD, [partnerId, displayCurrency ?? null, version]);
    return recorded.length > 0;
  }

  /** The newest version seen; 0 for a partner not heard of. */
  async findVersion(partnerId: string): Promise<number> {
    const profile = await this.prisma.partnerProfile.findUnique({
      where: { partnerId },
      select: { version: true },
    });
    return profile?.version ?? 0;
  }
}
