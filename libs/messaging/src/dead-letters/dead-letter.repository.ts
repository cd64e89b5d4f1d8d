import { query, type PageBounds, type PreparedStatement, type Queryable } from '@reseller/database';
import type { DomainEvent } from '../domain-event';
import type { DeadLetter, DeadLetterFailure, DeadLetterReason, DeadLetterState } from './dead-letter';

/** What narrows a list of dead letters. */
interface DeadLetterFilter {
  readonly state?: DeadLetterState | undefined;
  readonly reason?: DeadLetterReason | undefined;
}

/** Who decides, and why. */
export interface Decision {
  readonly state: 'Redriven' | 'Dismissed';
  readonly decidedBy: string;
  readonly notes: string | undefined;
  readonly requestId: string | undefined;
}

interface Row extends Omit<DeadLetter, 'event' | 'decidedBy' | 'decidedAt' | 'notes'>, DomainEvent {
  decidedBy: string | null;
  decidedAt: Date | null;
  notes: string | null;
}

const COLUMNS = `id, consumer AS "group", event_id AS "eventId", topic, type, aggregate_id AS "aggregateId",
  aggregate_seq AS "aggregateSeq", occurred_at AS "occurredAt", payload, headers, reason, message, detail, attempts,
  first_failed_at AS "firstFailedAt", last_failed_at AS "lastFailedAt", state, decided_by AS "decidedBy",
  decided_at AS "decidedAt", notes`;
const MATCHING =
  'FROM dead_letters WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR reason = $2)';

// Raw, all of them: the tables of this library belong to services of different Prisma clients.
const RECORD: PreparedStatement = {
  name: 'dead_letters_record',
  text: `INSERT INTO dead_letters (consumer, event_id, topic, type, aggregate_id, aggregate_seq, occurred_at, payload, headers,
           reason, message, detail, attempts)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (consumer, event_id) DO NOTHING`,
};
const COUNT: PreparedStatement = {
  name: 'dead_letters_count',
  text: `SELECT count(*)::int AS total ${MATCHING}`,
};
const LIST: PreparedStatement = {
  name: 'dead_letters_list',
  text: `SELECT ${COLUMNS} ${MATCHING} ORDER BY first_failed_at DESC, id DESC OFFSET $3 LIMIT $4`,
};
const FIND: PreparedStatement = {
  name: 'dead_letters_find',
  text: `SELECT ${COLUMNS} FROM dead_letters WHERE id = $1`,
};
const LOCK: PreparedStatement = {
  name: 'dead_letters_lock',
  text: `SELECT ${COLUMNS} FROM dead_letters WHERE id = $1 FOR UPDATE`,
};
const WAITING: PreparedStatement = {
  name: 'dead_letters_waiting',
  text: `SELECT id FROM dead_letters WHERE state = 'Waiting' AND reason = $1 AND id > $2
         ORDER BY id LIMIT $3`,
};
const COUNT_ATTEMPT: PreparedStatement = {
  name: 'dead_letters_count_attempt',
  text: "UPDATE dead_letters SET attempts = attempts + 1 WHERE id = $1 AND state = 'Waiting'",
};
const FAILED_AGAIN: PreparedStatement = {
  name: 'dead_letters_failed_again',
  text: `UPDATE dead_letters SET reason = $2, message = $3, detail = $4, last_failed_at = clock_timestamp() WHERE id = $1
         RETURNING ${COLUMNS}`,
};
const DECIDE: PreparedStatement = {
  name: 'dead_letters_decide',
  text: `UPDATE dead_letters SET state = $2, decided_by = $3, notes = $4, request_id = $5, decided_at = clock_timestamp()
         WHERE id = $1 RETURNING ${COLUMNS}`,
};

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Keeps a service's dead letters; see sql/dead-letters.sql. */
export class DeadLetterRepository {
  constructor(private readonly db: Queryable) {}

  async record(event: DomainEvent, failure: DeadLetterFailure): Promise<void> {
    await query(this.db, RECORD, [
      ...[failure.group, event.eventId, event.topic, event.type, event.aggregateId, event.aggregateSeq],
      ...[event.occurredAt, event.payload, JSON.stringify(event.headers)],
      ...[failure.reason, failure.message, failure.detail, failure.attempts],
    ]);
  }

  async list(
    { state, reason }: DeadLetterFilter,
    { offset, limit }: PageBounds,
  ): Promise<{ deadLetters: DeadLetter[]; totalCount: number }> {
    const filter = [state ?? null, reason ?? null];
    const [counted] = await query<{ total: number }>(this.db, COUNT, filter);
    const rows = limit > 0 ? await query<Row>(this.db, LIST, [...filter, offset, limit]) : [];
    return { deadLetters: rows.map(toDeadLetter), totalCount: counted?.total ?? 0 };
  }

  async find(id: string): Promise<DeadLetter | undefined> {
    return first(await query<Row>(this.db, FIND, [id]));
  }

  /** The dead letter, which nobody else decides before the transaction ends. */
  async lock(id: string): Promise<DeadLetter | undefined> {
    return first(await query<Row>(this.db, LOCK, [id]));
  }

  /** Ids of those that wait for one reason, oldest first, after an id. */
  async findWaiting(
    reason: DeadLetterReason,
    { after = FIRST_ID, limit }: { after?: string | undefined; limit: number },
  ): Promise<string[]> {
    const rows = await query<{ id: string }>(this.db, WAITING, [reason, after, limit]);
    return rows.map(({ id }) => id);
  }

  async countAttempt(id: string): Promise<void> {
    await query(this.db, COUNT_ATTEMPT, [id]);
  }

  async failedAgain(id: string, failure: Omit<DeadLetterFailure, 'group' | 'attempts'>): Promise<DeadLetter> {
    const { reason, message, detail } = failure;
    return required(await query<Row>(this.db, FAILED_AGAIN, [id, reason, message, detail]));
  }

  /** Of one that is locked and waits. */
  async decide(id: string, { state, decidedBy, notes, requestId }: Decision): Promise<DeadLetter> {
    return required(
      await query<Row>(this.db, DECIDE, [id, state, decidedBy, notes ?? null, requestId ?? null]),
    );
  }
}

function toDeadLetter(row: Row): DeadLetter {
  const { eventId, topic, type, aggregateId, aggregateSeq, occurredAt, payload, headers, ...rest } = row;
  return {
    ...rest,
    event: { eventId, topic, type, aggregateId, aggregateSeq, occurredAt, payload, headers },
    decidedBy: row.decidedBy ?? undefined,
    decidedAt: row.decidedAt ?? undefined,
    notes: row.notes ?? undefined,
  };
}

const first = (rows: Row[]): DeadLetter | undefined => (rows[0] ? toDeadLetter(rows[0]) : undefined);

function required(rows: Row[]): DeadLetter {
  const [found] = rows;
  if (!found) throw new Error('a dead letter that was locked is gone');
  return toDeadLetter(found);
}
