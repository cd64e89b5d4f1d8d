import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PrismaClient } from '../generated/prisma/client';

// Raw: an out-of-date version is refused in the same statement, within the transaction of the inbox.
const RECORD: PreparedStatement = {
  name: 'record_partner_profile',
  text: `INSERT INTO partner_profiles (partner_id, ancestors, commission_rate, is_vat_registered, tax_registration_number,
           display_currency, marketing_enabled, is_active, version)
         VALUES ($1, $2::uuid[], $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (partner_id) DO UPDATE
         SET ancestors = excluded.ancestors, commission_rate = excluded.commission_rate,
             is_vat_registered = excluded.is_vat_registered, tax_registration_number = excluded.tax_registration_number,
             display_currency = excluded.display_currency, marketing_enabled = excluded.marketing_enabled,
             is_active = excluded.is_active, version = excluded.version, updated_at = clock_timestamp()
         WHERE partner_profiles.version < excluded.version`,
};

/** What scent-commerce keeps of a partner. */
interface PartnerProfile {
  partnerId: string;
  /** From the root down to the partner itself. */
  ancestors: readonly string[];
  /** A fraction, 0.1 is 10 %. */
  commissionRate?: string | undefined;
  isVatRegistered: boolean;
  taxRegistrationNumber?: string | undefined;
  /** ISO 4217. */
  displayCurrency?: string | undefined;
  marketingEnabled: boolean;
  isActive: boolean;
  /** Counts the partner's changes, from 1. */
  version: number;
}

/** Keeps scent-commerce's projection of identity's partners. */
export class PartnerProfileRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Takes a partner's settings over within a transaction; an out-of-date version changes nothing. */
  async record(tx: Queryable, profile: PartnerProfile): Promise<void> {
    await query(tx, RECORD, [
      profile.partnerId,
      profile.ancestors,
      profile.commissionRate ?? null,
      profile.isVatRegistered,
      profile.taxRegistrationNumber ?? null,
      profile.displayCurrency ?? null,
      profile.marketingEnabled,
      profile.isActive,
      profile.version,
    ]);
  }

  /** A partner's profile, or undefined. */
  async find(partnerId: string): Promise<PartnerProfile | undefined> {
    const row = await this.prisma.partnerProfile.findUnique({ where: { partnerId } });
    if (!row) return undefined;
    return {
      ...row,
      commissionRate: row.commissionRate?.toFixed(),
      taxRegistrationNumber: row.taxRegistrationNumber ?? undefined,
      displayCurrency: row.displayCurrency ?? undefined,
      version: Number(row.version),
    };
  }

  /** The newest version seen; 0 for a partner without a profile. */
  async findVersion(partnerId: string): Promise<number> {
    const profile = await this.prisma.partnerProfile.findUnique({
      where: { partnerId },
      select: { version: true },
    });
    return Number(profile?.version ?? 0);
  }
}
