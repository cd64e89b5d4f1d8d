import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { Transaction } from '../transaction';
import type { Operator } from './operator';

/** A parent partner that acted by a delegated token. */
export interface ActingPartner {
  actorType: 'partner';
  actingPartnerId: string;
  actingClientId: string;
  requestId: string;
}

/** An entry to be appended; without an id it gets one. */
export type NewAuditEntry = (Operator | ActingPartner) & {
  id?: string | undefined;
  partnerId?: string | null | undefined;
  action: string;
  subject?: string | null | undefined;
  /** JSON text or a value to be written as such; never a secret. */
  details?: string | Record<string, unknown> | undefined;
};

/** An entry as stored. */
export interface AuditRecord {
  id: string;
  actorType: 'partner' | 'operator';
  actingPartnerId: string | null;
  actingClientId: string | null;
  operator: string | null;
  partnerId: string | null;
  action: string;
  subject: string | null;
  requestId: string;
  occurredAt: Date;
  /** A JSON object as text. */
  details: string;
}

/** Which entries a list shows; `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  partnerId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A part of a list. */
export interface AuditPage {
  limit: number;
  offset: number;
}

const COLUMNS = `id, actor_type AS "actorType", acting_partner_id AS "actingPartnerId",
  acting_client_id AS "actingClientId", operator, partner_id AS "partnerId", action, subject,
  request_id AS "requestId", occurred_at AS "occurredAt", details`;
const WITHIN = `occurred_at >= coalesce($2::timestamptz, '-infinity') AND occurred_at < coalesce($3::timestamptz, 'infinity')`;
const NEWEST_FIRST = 'ORDER BY occurred_at DESC, id DESC';

/**
 * The page of one partner's entries, as actor or acted for; parameters partner, from, to, limit, offset.
 * Raw: each half comes off its index in order and ends early; an OR of the two would fetch and sort the whole history.
 */
export const LIST_OF_PARTNER: PreparedStatement = {
  name: 'audit-list-of-partner',
  text: `SELECT ${COLUMNS} FROM (
      (SELECT * FROM audit_entries WHERE partner_id = $1::uuid AND ${WITHIN}
       ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
      UNION ALL
      (SELECT * FROM audit_entries WHERE acting_partner_id = $1::uuid AND partner_id IS DISTINCT FROM $1::uuid AND ${WITHIN}
       ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
    ) AS entries ${NEWEST_FIRST} LIMIT $4 OFFSET $5`,
};

/** Appends to and reads the audit; nothing here, or anywhere, changes an entry (spec §2.5). */
export class AuditRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /**
   * Appends the entry, in the transaction if one is given, and returns it; an id that is there already changes nothing and
   * returns the first entry.
   */
  async append(entry: NewAuditEntry, tx?: Transaction): Promise<AuditRecord> {
    const { auditEntry } = tx?.prisma ?? this.prisma;
    const data = toData(entry);
    const [appended] = await auditEntry.createManyAndReturn({ data: [data], skipDuplicates: true });
    return appended ?? (await auditEntry.findUniqueOrThrow({ where: { id: data.id } }));
  }

  /** One page of entries, newest first, and how many there are in all. */
  async list(
    { partnerId, from, to }: AuditFilter,
    page: AuditPage,
  ): Promise<{ entries: AuditRecord[]; totalCount: number }> {
    const occurredAt = { ...(from && { gte: from }), ...(to && { lt: to }) };
    const mine = partnerId && [{ partnerId }, { actingPartnerId: partnerId }];
    const where = { occurredAt, ...(mine && { OR: mine }) };
    const [entries, totalCount] = await Promise.all([
      partnerId === undefined
        ? this.listAll(where, page)
        : query<AuditRecord>(this.pool, LIST_OF_PARTNER, [
            partnerId,
            from ?? null,
            to ?? null,
            page.limit,
            page.offset,
          ]),
      this.prisma.auditEntry.count({ where }),
    ]);
    return { entries, totalCount };
  }

  private listAll(where: Prisma.AuditEntryWhereInput, { limit, offset }: AuditPage): Promise<AuditRecord[]> {
    return this.prisma.auditEntry.findMany({
      where,
      orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
      take: limit,
      skip: offset,
    });
  }
}

function toData(entry: NewAuditEntry): Prisma.AuditEntryCreateManyInput & { id: string } {
  const actor =
    entry.actorType === 'partner'
      ? { actingPartnerId: entry.actingPartnerId, actingClientId: entry.actingClientId }
      : { operator: entry.operator };
  return {
    ...actor,
    id: entry.id ?? newId(),
    actorType: entry.actorType,
    partnerId: entry.partnerId ?? null,
    action: entry.action,
    subject: entry.subject ?? null,
    requestId: entry.requestId,
    details: typeof entry.details === 'string' ? entry.details : JSON.stringify(entry.details ?? {}),
  };
}
