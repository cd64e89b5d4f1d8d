import { query, type PageBounds, type PreparedStatement, type Queryable } from '@reseller/database';
import { v7 as uuidv7 } from 'uuid';
import type { Approval, ApprovalOperator, ApprovalStatus, NewApproval } from './approval';

interface Row extends Omit<Approval, 'decidedBy' | 'decidedAt'> {
  decidedBy: string | null;
  decidedAt: Date | null;
}

// The clock's own time: what lapses while a transaction waits for a lock has lapsed.
const STATUS = `CASE WHEN status = 'Pending' AND expires_at <= clock_timestamp() THEN 'Lapsed' ELSE status END`;
const COLUMNS = `id, action, partner_id AS "partnerId", environment, amount, subject, notes, operation_key AS "operationKey",
  operation, ${STATUS} AS status, requested_by AS "requestedBy", requested_account AS "requestedAccount",
  request_id AS "requestId", requested_at AS "requestedAt", expires_at AS "expiresAt", decided_by AS "decidedBy",
  decided_at AS "decidedAt"`;
const MATCHING = `FROM approvals WHERE $1::text IS NULL OR ${STATUS} = $1`;

// Raw, all of them: the table belongs to services of different Prisma clients, and time is the database's.
const COUNT: PreparedStatement = {
  name: 'approvals_count',
  text: `SELECT count(*)::int AS total ${MATCHING}`,
};
const LIST: PreparedStatement = {
  name: 'approvals_list',
  text: `SELECT ${COLUMNS} ${MATCHING} ORDER BY requested_at DESC, id DESC OFFSET $2 LIMIT $3`,
};
const FIND: PreparedStatement = {
  name: 'approvals_find',
  text: `SELECT ${COLUMNS} FROM approvals WHERE id = $1`,
};
const FIND_PENDING: PreparedStatement = {
  name: 'approvals_find_pending',
  text: `SELECT ${COLUMNS} FROM approvals
    WHERE operation_key = $1 AND status = 'Pending' AND expires_at > clock_timestamp()`,
};
const LAPSE: PreparedStatement = {
  name: 'approvals_lapse',
  text: `UPDATE approvals SET status = 'Lapsed'
    WHERE operation_key = $1 AND status = 'Pending' AND expires_at <= clock_timestamp()`,
};
const INSERT: PreparedStatement = {
  name: 'approvals_insert',
  text: `INSERT INTO approvals (id, action, partner_id, environment, amount, subject, notes, operation_key, operation,
      requested_by, requested_account, request_id, requested_at, expires_at)
    SELECT $1, $2, $3, 'live', $4, $5, $6, $7, $8, $9, $10, $11, at, at + $12::bigint * interval '1 millisecond'
    FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) AS now
    RETURNING ${COLUMNS}`,
};
const DECIDE: PreparedStatement = {
  name: 'approvals_decide',
  text: `UPDATE approvals SET status = $2, decided_by = $3, decided_account = $4,
      decided_at = date_trunc('milliseconds', clock_timestamp())
    WHERE id = $1 AND status = 'Pending' AND expires_at > clock_timestamp() RETURNING ${COLUMNS}`,
};

/** Keeps a service's approvals; see sql/approvals.sql. Each call runs on the connection that it is given, so also in its caller's transaction. */
export class ApprovalRepository {
  constructor(private readonly ttlMs: number) {}

  async list(
    db: Queryable,
    status: ApprovalStatus | undefined,
    { offset, limit }: PageBounds,
  ): Promise<{ approvals: Approval[]; totalCount: number }> {
    const [counted] = await query<{ total: number }>(db, COUNT, [status]);
    const rows = limit > 0 ? await query<Row>(db, LIST, [status, offset, limit]) : [];
    return { approvals: rows.map(toApproval), totalCount: counted?.total ?? 0 };
  }

  async find(db: Queryable, id: string): Promise<Approval | undefined> {
    return first(await query<Row>(db, FIND, [id]));
  }

  /** The approval of a key that waits for its decision. */
  async findPending(db: Queryable, operationKey: string): Promise<Approval | undefined> {
    return first(await query<Row>(db, FIND_PENDING, [operationKey]));
  }

  /** Makes one whose key has none that is pending, which a unique index holds. */
  async insert(db: Queryable, approval: NewApproval, by: ApprovalOperator): Promise<Approval> {
    await query(db, LAPSE, [approval.operationKey]);
    const { action, partnerId, amount, subject, notes, operationKey, operation } = approval;
    const made = first(
      await query<Row>(db, INSERT, [
        ...[uuidv7(), action, partnerId, amount, subject, notes, operationKey, JSON.stringify(operation)],
        ...[by.name, by.account, by.requestId, this.ttlMs],
      ]),
    );
    if (!made) throw new Error('an approval that was inserted was not returned');
    return made;
  }

  /** Decides one that is pending; undefined when it is decided or has lapsed. Of two at once one decides. */
  async decide(
    db: Queryable,
    id: string,
    status: 'Approved' | 'Rejected',
    by: ApprovalOperator,
  ): Promise<Approval | undefined> {
    return first(await query<Row>(db, DECIDE, [id, status, by.name, by.account]));
  }
}

function toApproval({ decidedBy, decidedAt, ...row }: Row): Approval {
  return { ...row, decidedBy: decidedBy ?? undefined, decidedAt: decidedAt ?? undefined };
}

const first = (rows: Row[]): Approval | undefined => (rows[0] ? toApproval(rows[0]) : undefined);
