import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PrismaClient } from '../generated/prisma/client';
import type { PartnerSettings } from './domain/partner-settings';
import { normalizeCommissionRate } from './domain/partner-settings';

/** A partner as stored. */
export interface PartnerRecord extends PartnerSettings {
  id: string;
  globalId: string;
  parentPartnerId: string | null;
  path: string[];
  version: number;
  createdAt: Date;
}

/** A partner to be stored; its global id and version are the database's to give. */
export type NewPartner = PartnerSettings & Pick<PartnerRecord, 'id' | 'parentPartnerId' | 'path'>;

interface PartnerRow extends Omit<PartnerRecord, 'commissionRate'> {
  commissionRate: { toString(): string } | null;
}

const COLUMNS = `p.id, p.global_id AS "globalId", p.name, p.parent_partner_id AS "parentPartnerId", p.path,
  p.is_active AS "isActive", p.display_currency AS "displayCurrency", p.is_vat_registered AS "isVatRegistered",
  p.tax_registration_number AS "taxRegistrationNumber", p.commission_rate AS "commissionRate",
  p.marketing_enabled AS "marketingEnabled", p.billing_email AS "billingEmail", p.version, p.created_at AS "createdAt"`;

// Any number no other advisory lock of this database uses.
const HIERARCHY_LOCK = 7_140_001;

const LOCK_AGAINST_MOVES: PreparedStatement = {
  name: 'partner-lock-against-moves',
  text: `SELECT pg_advisory_xact_lock_shared(${HIERARCHY_LOCK})`,
};
const LOCK_HIERARCHY: PreparedStatement = {
  name: 'partner-lock-hierarchy',
  text: `SELECT pg_advisory_xact_lock(${HIERARCHY_LOCK})`,
};
const FIND: PreparedStatement = {
  name: 'partner-find',
  text: `SELECT ${COLUMNS} FROM partners p WHERE p.id = $1`,
};
const FIND_FOR_UPDATE: PreparedStatement = {
  name: 'partner-find-for-update',
  text: `SELECT ${COLUMNS} FROM partners p WHERE p.id = $1 FOR NO KEY UPDATE`,
};
const INSERT: PreparedStatement = {
  name: 'partner-insert',
  text: `INSERT INTO partners AS p (id, parent_partner_id, path, name, is_active, display_currency, is_vat_registered,
      tax_registration_number, commission_rate, marketing_enabled, billing_email)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`,
};
const UPDATE: PreparedStatement = {
  name: 'partner-update',
  text: `UPDATE partners AS p SET parent_partner_id = $2, path = $3, name = $4, is_active = $5, display_currency = $6,
      is_vat_registered = $7, tax_registration_number = $8, commission_rate = $9, marketing_enabled = $10,
      billing_email = $11, version = p.version + 1
    WHERE p.id = $1 RETURNING ${COLUMNS}`,
};
const MOVE_DESCENDANTS: PreparedStatement = {
  name: 'partner-move-descendants',
  text: `UPDATE partners AS p SET path = $2::uuid[] || p.path[array_position(p.path, $1::uuid) + 1:], version = p.version + 1
    WHERE p.path @> ARRAY[$1::uuid] AND p.id <> $1::uuid RETURNING ${COLUMNS}`,
};

/** Reads and writes partners; the writing functions want a transaction of the caller's. */
export class PartnerRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** The partner, or undefined when there is none with this id. */
  async find(id: string): Promise<PartnerRecord | undefined> {
    const row = await this.prisma.partner.findUnique({ where: { id } });
    return row ? toRecord(row) : undefined;
  }

  /** One page of partners, newest first (spec §1.6), and how many there are in all. */
  async list(page: {
    limit: number;
    offset: number;
  }): Promise<{ partners: PartnerRecord[]; totalCount: number }> {
    const [rows, totalCount] = await Promise.all([
      this.prisma.partner.findMany({
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: page.limit,
        skip: page.offset,
      }),
      this.prisma.partner.count(),
    ]);
    return { partners: rows.map(toRecord), totalCount };
  }

  /** Until the transaction ends nobody's path changes; partners may still be created side by side. */
  async lockAgainstMoves(tx: Queryable): Promise<void> {
    await query(tx, LOCK_AGAINST_MOVES, []);
  }

  /** Until the transaction ends the whole hierarchy is the caller's: nobody else moves or creates a partner. */
  async lockHierarchy(tx: Queryable): Promise<void> {
    await query(tx, LOCK_HIERARCHY, []);
  }

  /** The partner as the transaction sees it, or undefined. */
  async findWithin(tx: Queryable, id: string): Promise<PartnerRecord | undefined> {
    return firstRecord(await query<PartnerRow>(tx, FIND, [id]));
  }

  /** The partner, held until the transaction ends, or undefined. */
  async findForUpdate(tx: Queryable, id: string): Promise<PartnerRecord | undefined> {
    return firstRecord(await query<PartnerRow>(tx, FIND_FOR_UPDATE, [id]));
  }

  /** Stores a new partner and returns it with its global id. */
  async insert(tx: Queryable, partner: NewPartner): Promise<PartnerRecord> {
    return onlyRecord(await query<PartnerRow>(tx, INSERT, toValues(partner)));
  }

  /** Stores the partner's new values under the next version. */
  async update(tx: Queryable, partner: NewPartner): Promise<PartnerRecord> {
    return onlyRecord(await query<PartnerRow>(tx, UPDATE, toValues(partner)));
  }

  /** Carries everybody below the partner along to its new path; returns those it carried, each a version on. */
  async moveDescendants(tx: Queryable, partnerId: string, newPath: string[]): Promise<PartnerRecord[]> {
    return (await query<PartnerRow>(tx, MOVE_DESCENDANTS, [partnerId, newPath])).map(toRecord);
  }
}

function toValues(partner: NewPartner): unknown[] {
  return [
    partner.id,
    partner.parentPartnerId,
    partner.path,
    partner.name,
    partner.isActive,
    partner.displayCurrency,
    partner.isVatRegistered,
    partner.taxRegistrationNumber,
    partner.commissionRate,
    partner.marketingEnabled,
    partner.billingEmail,
  ];
}

function toRecord(row: PartnerRow): PartnerRecord {
  const rate = row.commissionRate;
  return { ...row, commissionRate: rate === null ? null : normalizeCommissionRate(rate.toString()) };
}

function firstRecord(rows: PartnerRow[]): PartnerRecord | undefined {
  return rows[0] ? toRecord(rows[0]) : undefined;
}

function onlyRecord(rows: PartnerRow[]): PartnerRecord {
  const record = firstRecord(rows);
  if (!record) throw new Error('a partner that is locked or just made has vanished');
  return record;
}
