import {
  isUniqueViolation,
  query,
  withTransaction,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import type { Pool } from 'pg';
import { linkAfter } from './domain/audit-chain';
import { AUDIT_SERVICE, type AuditRecord, type ChainLink, type RecordedEntry } from './domain/audit-entry';

/** The columns of an entry under the names of its record. */
export const ENTRY_COLUMNS = `id, actor_type::text AS "actorType", acting_partner_id AS "actingPartnerId",
  acting_client_id AS "actingClientId", operator, partner_id AS "partnerId", action, subject,
  request_id AS "requestId", occurred_at AS "occurredAt", details, sequence::float8 AS sequence, previous_hash AS "previousHash", hash`;

// Raw: the row's lock gives out the numbers in the order of commits and without gaps, so it is taken last in a transaction. The time
// is read under the lock: no later entry is of an earlier moment, whatever the clock does.
const LOCK_HEAD: PreparedStatement = {
  name: 'audit-lock-head',
  text: `WITH head AS MATERIALIZED (SELECT sequence, hash, occurred_at FROM audit_heads WHERE service = '${AUDIT_SERVICE}' FOR UPDATE)
    SELECT sequence::float8 AS sequence, hash, greatest(date_trunc('milliseconds', clock_timestamp()), occurred_at) AS "occurredAt" FROM head`,
};

const MOVE_HEAD = `UPDATE audit_heads SET sequence = $2::bigint, hash = $3, occurred_at = greatest(occurred_at, $4::timestamptz)
  WHERE service = '${AUDIT_SERVICE}'`;

// Raw: all entries of a batch and the new head are one statement.
const INSERT: PreparedStatement = {
  name: 'audit-insert',
  text: `WITH entries AS (
      INSERT INTO audit_entries (id, actor_type, acting_partner_id, acting_client_id, operator, partner_id, action, subject, request_id,
        occurred_at, details, sequence, previous_hash, hash)
      SELECT id, "actorType", "actingPartnerId", "actingClientId", operator, "partnerId", action, subject, "requestId",
        "occurredAt", details, sequence, "previousHash", hash
      FROM jsonb_to_recordset($1::jsonb) AS e (id uuid, "actorType" audit_actor_type, "actingPartnerId" uuid, "actingClientId" text,
        operator text, "partnerId" uuid, action text, subject text, "requestId" text, "occurredAt" timestamptz, details text,
        sequence bigint, "previousHash" text, hash text))
    ${MOVE_HEAD}`,
};

const FIND: PreparedStatement = {
  name: 'audit-find',
  text: `SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE id = ANY ($1::uuid[])`,
};

const HEAD: PreparedStatement = {
  name: 'audit-head',
  text: `SELECT sequence::float8 AS sequence, hash FROM audit_heads WHERE service = '${AUDIT_SERVICE}'`,
};

// Raw: both ends come off the index by time, which is the order of the chain, too.
const LIST_IN_SEQUENCE: PreparedStatement = {
  name: 'audit-list-in-sequence',
  text: `SELECT ${ENTRY_COLUMNS} FROM audit_entries
    WHERE sequence > greatest($1::bigint, (${lastBefore('$2')})) AND sequence <= coalesce((${lastBefore('$3')}), 0)
      AND ($5::uuid IS NULL OR partner_id = $5 OR acting_partner_id = $5)
    ORDER BY sequence LIMIT $4`,
};

function lastBefore(moment: '$2' | '$3'): string {
  return `SELECT sequence FROM audit_entries WHERE occurred_at < coalesce(${moment}::timestamptz, ${moment === '$2' ? "'-infinity'" : "'infinity'"})
      ORDER BY occurred_at DESC, sequence DESC LIMIT 1`;
}

/** A repetition that raced its first one finds it then. */
const ATTEMPTS = 3;

/** Which entries a list shows; `from` is inclusive, `to` exclusive. The partner acted or was acted for. */
export interface AuditFilter {
  partnerId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** An entry before the chain gives it its time. */
export type EntryToAppend = Omit<RecordedEntry, 'occurredAt'>;

interface LockedHead {
  readonly sequence: number;
  readonly hash: string;
  readonly occurredAt: Date;
}

/** Writes the chain of audit entries. */
export class AuditChainRepository {
  constructor(private readonly pool: Pool) {}

  /** Appends entries of one transaction, whose ids nobody else has. The head stays locked until the transaction's end. */
  async appendIn(db: Queryable, entries: readonly EntryToAppend[]): Promise<AuditRecord[]> {
    const head = await lockHead(db);
    const { occurredAt } = head;
    const linked = linkAfter(
      head,
      entries.map((entry) => ({ ...entry, occurredAt })),
    );
    await query(db, INSERT, valuesOf(linked));
    return linked;
  }

  /** Appends entries, each once for its id; of an id that is there already it returns the entry as it was recorded first. */
  async append(entries: readonly EntryToAppend[]): Promise<AuditRecord[]> {
    const known = new Map<string, AuditRecord>();
    for (let attempt = 1; ; attempt += 1) {
      const isFirst = ({ id }: EntryToAppend, at: number): boolean =>
        entries.findIndex((one) => one.id === id) === at;
      const missing = entries.filter((entry, at) => !known.has(entry.id) && isFirst(entry, at));
      try {
        const appended = missing.length > 0 ? await this.appendAlone(missing) : [];
        for (const record of appended) known.set(record.id, record);
        return entries.map(({ id }) => known.get(id) as AuditRecord);
      } catch (error) {
        if (!isUniqueViolation(error, 'audit_entries_pkey') || attempt === ATTEMPTS) throw error;
        for (const record of await query<AuditRecord>(this.pool, FIND, [missing.map(({ id }) => id)]))
          known.set(record.id, record);
      }
    }
  }

  /** Entries after a number, in the chain's order. */
  listInSequence(after: number, { from, to, partnerId }: AuditFilter, limit: number): Promise<AuditRecord[]> {
    const values = [after, from ?? null, to ?? null, limit, partnerId ?? null];
    return query<AuditRecord>(this.pool, LIST_IN_SEQUENCE, values);
  }

  /** The end of the chain as it is now. */
  async head(): Promise<Pick<ChainLink, 'sequence' | 'hash'>> {
    const [head] = await query<ChainLink>(this.pool, HEAD);
    if (!head) throw new Error('the audit has no head');
    return head;
  }

  private appendAlone(entries: readonly EntryToAppend[]): Promise<AuditRecord[]> {
    return withTransaction(this.pool, (tx) => this.appendIn(tx, entries));
  }
}

async function lockHead(db: Queryable): Promise<LockedHead> {
  const [head] = await query<LockedHead>(db, LOCK_HEAD, []);
  if (!head) throw new Error('the audit has no head');
  return head;
}

function valuesOf(linked: readonly (RecordedEntry & ChainLink)[]): unknown[] {
  const last = linked.at(-1);
  return [JSON.stringify(linked), last?.sequence, last?.hash, last?.occurredAt];
}
