import { query, type PreparedStatement } from '@reseller/database';
import { isUuid } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { Partner, PrismaClient } from '../generated/prisma/client';
import type { Transaction } from '../transaction';
import type { PartnerSettings } from './domain/partner-settings';
import { normalizeCommissionRate } from './domain/partner-settings';

/** A partner as stored. */
export interface PartnerRecord extends PartnerSettings {
  id: string;
  globalId: string;
  parentPartnerId: string | null;
  path: string[];
  /** Its own switch; who is above it may be frozen as well. */
  isFrozen: boolean;
  version: number;
  createdAt: Date;
}

/** A partner to be stored; its global id and version are the database's to give. */
type NewPartner = PartnerSettings & Pick<PartnerRecord, 'id' | 'parentPartnerId' | 'path'>;

// Any number no other advisory lock of this database uses.
const HIERARCHY_LOCK = 7_140_001;

// Raw: a lock that outlasts its statement keeps the hierarchy free of cycles; Prisma knows none.
const LOCK_AGAINST_MOVES: PreparedStatement = {
  name: 'partner-lock-against-moves',
  text: `SELECT pg_advisory_xact_lock_shared(${HIERARCHY_LOCK})::text`,
};
// Raw: as above.
const LOCK_HIERARCHY: PreparedStatement = {
  name: 'partner-lock-hierarchy',
  text: `SELECT pg_advisory_xact_lock(${HIERARCHY_LOCK})::text`,
};
// Raw: a row's lock before it is read, which Prisma does not know.
const LOCK_PARTNER: PreparedStatement = {
  name: 'partner-lock',
  text: 'SELECT id FROM partners WHERE id = $1::uuid FOR NO KEY UPDATE',
};
// Raw: every path below changes in one statement, each by a part of itself.
const MOVE_DESCENDANTS: PreparedStatement = {
  name: 'partner-move-descendants',
  text: `UPDATE partners SET path = $2::uuid[] || path[array_position(path, $1::uuid) + 1:], version = version + 1
    WHERE path @> ARRAY[$1::uuid] AND id <> $1::uuid RETURNING id`,
};

// Raw: one statement for a whole subtree; each becomes a version of its own.
const COUNT_UP_DESCENDANTS: PreparedStatement = {
  name: 'partner-count-up-descendants',
  text: `UPDATE partners SET version = version + 1 WHERE path @> ARRAY[$1::uuid] AND id <> $1::uuid RETURNING id`,
};
// Raw: Prisma does not know whether arrays meet.
const FIND_FROZEN: PreparedStatement = {
  name: 'partner-find-frozen-with-ancestors',
  text: `SELECT p.id FROM partners p WHERE p.id = ANY ($1::uuid[])
    AND EXISTS (SELECT 1 FROM partners a WHERE a.id = ANY (p.path) AND a.is_frozen)`,
};

// Raw: Prisma folds case by the database's locale, which may know ASCII alone. By reading the partners newest first until enough are
// found, at most all of them: they are thousands, and what is looked for by part is mostly among few.
const SEARCH: PreparedStatement = {
  name: 'partner-search',
  text: `SELECT id FROM partners
    WHERE strpos(casefold(name COLLATE "pg_unicode_fast"), casefold($1 COLLATE "pg_unicode_fast")) > 0 OR global_id = $1
      OR id = $2::uuid OR id = (SELECT partner_id FROM credentials WHERE client_id = $1)
    ORDER BY created_at DESC, id DESC LIMIT $3`,
};

/** Reads and writes partners; the writing functions want a transaction of the caller's. */
export class PartnerRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /** The partner, as the transaction sees it if one is given, or undefined when there is none with this id. */
  async find(id: string, tx?: Transaction): Promise<PartnerRecord | undefined> {
    const row = await (tx?.prisma ?? this.prisma).partner.findUnique({ where: { id } });
    return row ? toRecord(row) : undefined;
  }

  /** One page of partners, newest first (spec §1.6), and how many there are in all. */
  async list(
    page: { limit: number; offset: number },
    parentPartnerId?: string,
  ): Promise<{ partners: PartnerRecord[]; totalCount: number }> {
    const where = parentPartnerId === undefined ? {} : { parentPartnerId };
    const [rows, totalCount] = await Promise.all([
      this.prisma.partner.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: page.limit,
        skip: page.offset,
      }),
      this.prisma.partner.count({ where }),
    ]);
    return { partners: rows.map(toRecord), totalCount };
  }

  /** The newest partners whose name holds the text in any case, or of which it is an id or a credential's client id. */
  async search(text: string, limit: number): Promise<PartnerRecord[]> {
    const values = [text, isUuid(text) ? text : null, limit];
    const found = await query<{ id: string }>(this.pool, SEARCH, values);
    const rows = await this.prisma.partner.findMany({
      where: { id: { in: found.map(({ id }) => id) } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    return rows.map(toRecord);
  }

  /** The names of those of these partners that there are; texts that are no id are passed over. */
  listNames(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    const where = { id: { in: ids.filter(isUuid) } };
    return this.prisma.partner.findMany({ where, select: { id: true, name: true } });
  }

  /** Until the transaction ends nobody's path changes; partners may still be created side by side. */
  async lockAgainstMoves({ sql }: Transaction): Promise<void> {
    await query(sql, LOCK_AGAINST_MOVES);
  }

  /** Until the transaction ends the whole hierarchy is the caller's: nobody else moves or creates a partner. */
  async lockHierarchy({ sql }: Transaction): Promise<void> {
    await query(sql, LOCK_HIERARCHY);
  }

  /** The partner, held until the transaction ends, or undefined. */
  async findForUpdate(id: string, tx: Transaction): Promise<PartnerRecord | undefined> {
    await query(tx.sql, LOCK_PARTNER, [id]);
    return this.find(id, tx);
  }

  /** Stores a new partner and returns it with its global id. */
  async insert(partner: NewPartner, { prisma }: Transaction): Promise<PartnerRecord> {
    return toRecord(await prisma.partner.create({ data: toData(partner) }));
  }

  /** Stores the partner's new values under the next version. */
  async update(partner: NewPartner, { prisma }: Transaction): Promise<PartnerRecord> {
    const { id, ...data } = toData(partner);
    return toRecord(
      await prisma.partner.update({ where: { id }, data: { ...data, version: { increment: 1 } } }),
    );
  }

  /** Stores the partner's switch under the next version; returns it and everybody below it, each a version on. */
  async setFrozen(
    id: string,
    isFrozen: boolean,
    { prisma, sql }: Transaction,
  ): Promise<{ changed: PartnerRecord; descendants: PartnerRecord[] }> {
    const data = { isFrozen, version: { increment: 1 } };
    const changed = toRecord(await prisma.partner.update({ where: { id }, data }));
    const below = await query<{ id: string }>(sql, COUNT_UP_DESCENDANTS, [id]);
    const rows = await prisma.partner.findMany({ where: { id: { in: below.map((row) => row.id) } } });
    return { changed, descendants: rows.map(toRecord) };
  }

  /** Which of the partners are frozen, themselves or by one above them, as the transaction sees it. */
  async findFrozen(ids: string[], { sql }: Transaction): Promise<ReadonlySet<string>> {
    const rows = await query<{ id: string }>(sql, FIND_FROZEN, [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Carries everybody below the partner along to its new path; returns those it carried, each a version on. */
  async moveDescendants(
    partnerId: string,
    newPath: string[],
    { prisma, sql }: Transaction,
  ): Promise<PartnerRecord[]> {
    const moved = await query<{ id: string }>(sql, MOVE_DESCENDANTS, [partnerId, newPath]);
    const rows = await prisma.partner.findMany({ where: { id: { in: moved.map(({ id }) => id) } } });
    return rows.map(toRecord);
  }
}

/** The columns alone: whatever else a caller's object carries is left out. */
function toData(partner: NewPartner): NewPartner {
  const { id, parentPartnerId, path, name, isActive, displayCurrency, isVatRegistered } = partner;
  const { taxRegistrationNumber, commissionRate, marketingEnabled, billingEmail, language } = partner;
  return {
    ...{ id, parentPartnerId, path, name, isActive, displayCurrency, isVatRegistered },
    ...{ taxRegistrationNumber, commissionRate, marketingEnabled, billingEmail, language },
  };
}

function toRecord(row: Partner): PartnerRecord {
  const rate = row.commissionRate;
  return { ...row, commissionRate: rate === null ? null : normalizeCommissionRate(rate.toString()) };
}
