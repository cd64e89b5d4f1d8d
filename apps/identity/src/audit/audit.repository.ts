import { Batcher, query, type Patience, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import type { AuditEntry, Prisma, PrismaClient } from '../generated/prisma/client';
import type { Transaction } from '../transaction';
import {
  AuditChainRepository,
  ENTRY_COLUMNS,
  type AuditFilter,
  type EntryToAppend,
} from './audit-chain.repository';
import type { AuditRecord } from './domain/audit-entry';
import type { Operator } from './operator';

/** A parent partner that acted by a delegated token. */
interface ActingPartner {
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

/** A part of a list. */
export interface AuditPage {
  limit: number;
  offset: number;
}

const WITHIN = `occurred_at >= coalesce($2::timestamptz, '-infinity') AND occurred_at < coalesce($3::timestamptz, 'infinity')`;
/** So many entries are linked by one statement at most. */
const LARGEST_BATCH = 128;
const NEWEST_FIRST = 'ORDER BY occurred_at DESC, id DESC';

/**
 * The page of one partner's entries, as actor or acted for; parameters partner, from, to, limit, offset.
 * Raw: each half comes off its index in order and ends early; an OR of the two would fetch and sort the whole history.
 */
export const LIST_OF_PARTNER: PreparedStatement = {
  name: 'audit-list-of-partner',
  text: `SELECT ${ENTRY_COLUMNS} FROM (
      (SELECT * FROM audit_entries WHERE partner_id = $1::uuid AND ${WITHIN}
       ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
      UNION ALL
      (SELECT * FROM audit_entries WHERE acting_partner_id = $1::uuid AND partner_id IS DISTINCT FROM $1::uuid AND ${WITHIN}
       ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
    ) AS entries ${NEWEST_FIRST} LIMIT $4 OFFSET $5`,
};

/** Appends to and reads the audit; nothing here, or anywhere, changes an entry (spec §2.5). */
export class AuditRepository {
  private readonly waiting: Batcher<EntryToAppend, AuditRecord>;

  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
    private readonly chain = new AuditChainRepository(pool),
  ) {
    // One after the other in any case, by the chain's head: what waits meanwhile is linked by the next statement (docs/adr/0015).
    this.waiting = new Batcher({
      run: (batch) => chain.append(batch),
      concurrency: 1,
      maxBatch: LARGEST_BATCH,
    });
  }

  /**
   * Appends the entry, in the transaction if one is given, and returns it; an id that is there already changes nothing and returns
   * the first entry. In a transaction it comes last: until its end nobody else appends.
   */
  async append(entry: NewAuditEntry, tx?: Transaction, patience?: Patience): Promise<AuditRecord> {
    const toAppend = toEntry(entry);
    if (!tx) return this.waiting.submit(toAppend, patience);
    const [appended] = await this.chain.appendIn(tx.sql, [toAppend]);
    if (!appended) throw new Error('an audit entry was not appended');
    return appended;
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

  private async listAll(
    where: Prisma.AuditEntryWhereInput,
    { limit, offset }: AuditPage,
  ): Promise<AuditRecord[]> {
    const entries = await this.prisma.auditEntry.findMany({
      where,
      orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
      take: limit,
      skip: offset,
    });
    return entries.map(toRecord);
  }
}

function toRecord({ sequence, ...entry }: AuditEntry): AuditRecord {
  return { ...entry, sequence: Number(sequence) };
}

// Ids in lower case, as the database returns them: they are part of what is hashed.
function toEntry(entry: NewAuditEntry): EntryToAppend {
  const isPartner = entry.actorType === 'partner';
  return {
    id: entry.id?.toLowerCase() ?? newId(),
    actorType: entry.actorType,
    actingPartnerId: isPartner ? entry.actingPartnerId.toLowerCase() : null,
    actingClientId: isPartner ? entry.actingClientId : null,
    operator: isPartner ? null : entry.operator,
    partnerId: entry.partnerId?.toLowerCase() ?? null,
    action: entry.action,
    subject: entry.subject ?? null,
    requestId: entry.requestId,
    details: typeof entry.details === 'string' ? entry.details : JSON.stringify(entry.details ?? {}),
  };
}
