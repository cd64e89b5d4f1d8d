import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { v7 as newId } from 'uuid';
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

const COLUMNS = `id, actor_type AS "actorType", acting_partner_id AS "actingPartnerId",
  acting_client_id AS "actingClientId", operator, partner_id AS "partnerId", action, subject,
  request_id AS "requestId", occurred_at AS "occurredAt", details::text AS details`;

const APPEND: PreparedStatement = {
  name: 'audit-append',
  text: `INSERT INTO audit_entries (id, actor_type, acting_partner_id, acting_client_id, operator, partner_id, action,
      subject, request_id, details)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
};
const FIND: PreparedStatement = {
  name: 'audit-find',
  text: `SELECT ${COLUMNS} FROM audit_entries WHERE id = $1`,
};

const WITHIN = (from: number): string =>
  `occurred_at >= coalesce($${from}::timestamptz, '-infinity') AND occurred_at < coalesce($${from + 1}::timestamptz, 'infinity')`;
const NEWEST_FIRST = 'ORDER BY occurred_at DESC, id DESC';
const AS_ACTED_FOR = `partner_id = $1::uuid AND ${WITHIN(2)}`;
const AS_ACTOR_ONLY = `acting_partner_id = $1::uuid AND partner_id IS DISTINCT FROM $1::uuid AND ${WITHIN(2)}`;

/** The page of everybody's entries; parameters from, to, limit, offset. */
export const LIST_ALL: PreparedStatement = {
  name: 'audit-list-all',
  text: `SELECT ${COLUMNS} FROM audit_entries WHERE ${WITHIN(1)} ${NEWEST_FIRST} LIMIT $3 OFFSET $4`,
};
/**
 * The page of one partner's entries, as actor or acted for; parameters partner, from, to, limit, offset. Each half
 * comes off its index in order and ends early: an OR of the two would fetch and sort the partner's whole history.
 */
export const LIST_OF_PARTNER: PreparedStatement = {
  name: 'audit-list-of-partner',
  text: `SELECT ${COLUMNS} FROM (
      (SELECT * FROM audit_entries WHERE ${AS_ACTED_FOR} ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
      UNION ALL
      (SELECT * FROM audit_entries WHERE ${AS_ACTOR_ONLY} ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint)
    ) AS entries ${NEWEST_FIRST} LIMIT $4 OFFSET $5`,
};
const COUNT_ALL: PreparedStatement = {
  name: 'audit-count-all',
  text: `SELECT count(*)::int AS count FROM audit_entries WHERE ${WITHIN(1)}`,
};
const COUNT_OF_PARTNER: PreparedStatement = {
  name: 'audit-count-of-partner',
  text: `SELECT (SELECT count(*) FROM audit_entries WHERE ${AS_ACTED_FOR})::int
    + (SELECT count(*) FROM audit_entries WHERE ${AS_ACTOR_ONLY})::int AS count`,
};

/** Appends to and reads the audit; nothing here, or anywhere, changes an entry (spec §2.5). */
export class AuditRepository {
  /** Appends the entry and returns it; an id that is there already changes nothing and returns the first entry. */
  async append(db: Queryable, entry: NewAuditEntry): Promise<AuditRecord> {
    const values = toValues(entry);
    const [appended] = await query<AuditRecord>(db, APPEND, values);
    if (appended) return appended;
    const [first] = await query<AuditRecord>(db, FIND, [values[0]]);
    if (!first) throw new Error('an audit entry is taken and yet not there');
    return first;
  }

  /** One page of entries, newest first, and how many there are in all. */
  async list(
    db: Queryable,
    filter: AuditFilter,
    page: { limit: number; offset: number },
  ): Promise<{ entries: AuditRecord[]; totalCount: number }> {
    const range = [filter.from ?? null, filter.to ?? null];
    const bounds = filter.partnerId === undefined ? range : [filter.partnerId, ...range];
    const [list, count] =
      filter.partnerId === undefined ? [LIST_ALL, COUNT_ALL] : [LIST_OF_PARTNER, COUNT_OF_PARTNER];
    const [entries, counted] = await Promise.all([
      query<AuditRecord>(db, list, [...bounds, page.limit, page.offset]),
      query<{ count: number }>(db, count, bounds),
    ]);
    return { entries, totalCount: counted[0]?.count ?? 0 };
  }
}

function toValues(entry: NewAuditEntry): unknown[] {
  const byPartner = entry.actorType === 'partner';
  const details = typeof entry.details === 'string' ? entry.details : JSON.stringify(entry.details ?? {});
  return [
    entry.id ?? newId(),
    entry.actorType,
    byPartner ? entry.actingPartnerId : null,
    byPartner ? entry.actingClientId : null,
    byPartner ? null : entry.operator,
    entry.partnerId ?? null,
    entry.action,
    entry.subject ?? null,
    entry.requestId,
    details,
  ];
}
