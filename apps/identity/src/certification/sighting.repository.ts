import {
  query,
  queryWithoutEvents,
  type PreparedStatement,
  type Queryable,
  type RetentionRule,
} from '@reseller/database';
import type { Pool } from 'pg';
import type { EvidenceRecord } from './certification.repository';
import { STEP_OF_CALLS, type HowMuch, type StepName } from './domain/certification';

/** Something that a partner did or met, as it is recorded. */
export interface SightingRecord extends EvidenceRecord {
  partnerId: string;
  step: StepName;
  howMuch: HowMuch;
  subject: string;
  at: Date;
}

/** A credential's use for a partner. */
export interface CallRecord {
  partnerId: string;
  clientId: string;
  at: Date;
}

/** A credential was refused for a time. */
export interface LimitRecord extends CallRecord {
  waitUntil: Date;
  requestId: string;
}

/** How long first halves wait for their second. */
const KEEP_FIRST = `interval '7 days'`;
/** A second half that came without its first waits for a gateway that is late. */
const KEEP_SECOND = `interval '2 minutes'`;
/** For what is compared with limits: these last a minute at most, and a gateway may be late. */
const CALLS_KEPT_MS = 600_000;
/** First halves of one step of a partner, and as many second ones alone: more than its rate limit lets through in their time. */
const MOST_HALVES = 1_000;
/** When everything about a limit has come in, some gateways' delay included. */
const SETTLED_MS = 3_000;
const LIMITS_A_TURN = 500;

/** What of it shows nothing any more; indexes serve each rule. */
export const SIGHTING_RETENTION: readonly RetentionRule[] = [
  { table: 'certification_halves', oldestFirst: 'forget_at', expired: 'forget_at < $1', keepMs: 0 },
  {
    table: 'certification_limits',
    oldestFirst: 'wait_until',
    expired: 'wait_until < $1',
    keepMs: CALLS_KEPT_MS,
  },
  { table: 'certification_calls', oldestFirst: 'at', expired: 'at < $1', keepMs: CALLS_KEPT_MS },
];

const NOT_SHOWN = `NOT EXISTS (SELECT 1 FROM certification_steps s WHERE s.partner_id = r."partnerId" AND s.step = `;

// Raw, all of them: many rows in one statement, in the order of their keys, so that gateways' batches never wait for each other in a
// circle; what is known already, or of an unknown partner, changes nothing.
const RECORD_CALLS: PreparedStatement = {
  name: 'certification-calls-record',
  text: `INSERT INTO certification_calls (partner_id, client_id, at)
    SELECT r."partnerId", r."clientId", r.at
    FROM jsonb_to_recordset($1::jsonb) AS r ("partnerId" uuid, "clientId" text, at timestamptz)
    JOIN partners p ON p.id = r."partnerId"
    WHERE ${NOT_SHOWN}'${STEP_OF_CALLS}') ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
};
const RECORD_LIMITS: PreparedStatement = {
  name: 'certification-limits-record',
  text: `INSERT INTO certification_limits (partner_id, client_id, at, wait_until, request_id)
    SELECT r."partnerId", r."clientId", r.at, r."waitUntil", r."requestId"
    FROM jsonb_to_recordset($1::jsonb)
      AS r ("partnerId" uuid, "clientId" text, at timestamptz, "waitUntil" timestamptz, "requestId" text)
    JOIN partners p ON p.id = r."partnerId"
    WHERE ${NOT_SHOWN}'${STEP_OF_CALLS}') ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
};
const SEEN = `jsonb_to_recordset($1::jsonb) AS r ("partnerId" uuid, step text, "howMuch" text, subject text, at timestamptz,
      "evidenceType" text, "evidenceId" text, "requestId" text)`;
const HAS_ROOM = `(EXISTS (SELECT 1 FROM certification_halves f
      WHERE f.partner_id = r."partnerId" AND f.step = r.step AND f.subject = r.subject)
    OR (SELECT count(*) FROM (SELECT 1 FROM certification_halves f WHERE f.partner_id = r."partnerId" AND f.step = r.step
      AND (f.first_at IS NOT NULL) = (r."howMuch" = 'first') LIMIT ${MOST_HALVES}) AS kept) < ${MOST_HALVES})`;
// The earliest first half and the latest second one stay, so the order in which they come does not matter. The request is the second's.
const RECORD_HALVES: PreparedStatement = {
  name: 'certification-halves-record',
  text: `INSERT INTO certification_halves AS h
      (partner_id, step, subject, first_at, second_at, evidence_type, evidence_id, request_id, forget_at)
    SELECT r."partnerId", r.step, r.subject, min(r.at) FILTER (WHERE r."howMuch" = 'first'),
      max(r.at) FILTER (WHERE r."howMuch" = 'second'), min(r."evidenceType"), min(r."evidenceId"),
      (array_agg(r."requestId" ORDER BY r."howMuch" DESC, r.at DESC))[1],
      clock_timestamp() + CASE WHEN bool_or(r."howMuch" = 'first') THEN ${KEEP_FIRST} ELSE ${KEEP_SECOND} END
    FROM ${SEEN} JOIN partners p ON p.id = r."partnerId"
    WHERE r."howMuch" <> 'whole' AND ${NOT_SHOWN}r.step) AND ${HAS_ROOM}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (partner_id, step, subject) DO UPDATE SET
      first_at = least(h.first_at, excluded.first_at),
      second_at = greatest(h.second_at, excluded.second_at),
      forget_at = greatest(h.forget_at, excluded.forget_at),
      request_id = CASE WHEN excluded.second_at >= coalesce(h.second_at, '-infinity') THEN excluded.request_id ELSE h.request_id END`,
};
// What is shown whole, and what both halves of which are there by now.
const SHOW: PreparedStatement = {
  name: 'certification-steps-show',
  text: `INSERT INTO certification_steps (partner_id, step, shown_at, evidence_type, evidence_id, request_id)
    SELECT DISTINCT ON (1, 2) * FROM (
      SELECT r."partnerId", r.step, r.at, r."evidenceType", r."evidenceId", r."requestId"
      FROM ${SEEN} JOIN partners p ON p.id = r."partnerId" WHERE r."howMuch" = 'whole'
      UNION ALL
      SELECT h.partner_id, h.step, h.second_at, h.evidence_type, h.evidence_id, h.request_id
      FROM (SELECT DISTINCT r."partnerId", r.step, r.subject FROM ${SEEN}) AS r
      JOIN certification_halves h ON h.partner_id = r."partnerId" AND h.step = r.step AND h.subject = r.subject
      WHERE h.first_at <= h.second_at
    ) AS shown ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING RETURNING partner_id AS "partnerId", step`,
};
const FORGET_HALVES: PreparedStatement = {
  name: 'certification-halves-forget',
  text: `DELETE FROM certification_halves h USING jsonb_to_recordset($1::jsonb) AS r ("partnerId" uuid, step text)
    WHERE h.partner_id = r."partnerId" AND h.step = r.step`,
};
// A limit is broken by one call before its end, and respected by the first one after it. One that was broken shows nothing any more.
const SETTLE_LIMITS: PreparedStatement = {
  name: 'certification-limits-settle',
  text: `WITH due AS MATERIALIZED (
      SELECT l.*, EXISTS (SELECT 1 FROM certification_calls c WHERE c.partner_id = l.partner_id AND c.client_id = l.client_id
          AND c.at > l.at AND c.at < l.wait_until) AS "isBroken",
        (SELECT min(c.at) FROM certification_calls c WHERE c.partner_id = l.partner_id AND c.client_id = l.client_id
          AND c.at >= l.wait_until) AS "nextAt"
      FROM certification_limits l WHERE l.wait_until < clock_timestamp() - interval '${SETTLED_MS} milliseconds'
      ORDER BY l.wait_until LIMIT ${LIMITS_A_TURN}
    ), gone AS (
      DELETE FROM certification_limits l USING due
      WHERE (due."isBroken" OR due."nextAt" IS NOT NULL)
        AND l.partner_id = due.partner_id AND l.client_id = due.client_id AND l.at = due.at
    )
    INSERT INTO certification_steps (partner_id, step, shown_at, evidence_type, evidence_id, request_id)
    SELECT DISTINCT ON (partner_id) partner_id, '${STEP_OF_CALLS}', "nextAt", 'Request', request_id, request_id
    FROM due WHERE NOT "isBroken" AND "nextAt" IS NOT NULL ORDER BY partner_id, "nextAt"
    ON CONFLICT DO NOTHING RETURNING partner_id AS "partnerId"`,
};

const ANY_LIMIT: PreparedStatement = {
  name: 'certification-limits-any',
  text: 'SELECT 1 FROM certification_limits LIMIT 1',
};

/** Keeps when credentials were used, and when they were refused for a time. */
export async function recordCalls(
  sql: Queryable,
  calls: readonly CallRecord[],
  limits: readonly LimitRecord[],
): Promise<void> {
  if (calls.length > 0) await query(sql, RECORD_CALLS, [JSON.stringify(calls)]);
  if (limits.length > 0) await query(sql, RECORD_LIMITS, [JSON.stringify(limits)]);
}

/** Keeps sightings, and returns the partners that have shown a step by them which they had not shown before. */
export async function recordSightings(sql: Queryable, seen: readonly SightingRecord[]): Promise<string[]> {
  if (seen.length === 0) return [];
  const rows = JSON.stringify(seen);
  await query(sql, RECORD_HALVES, [rows]);
  const shown = await query<{ partnerId: string; step: string }>(sql, SHOW, [rows]);
  if (shown.length > 0) await query(sql, FORGET_HALVES, [JSON.stringify(shown)]);
  return [...new Set(shown.map(({ partnerId }) => partnerId))];
}

/** Whether there is a limit that is not decided. */
export async function isAnyLimit(pool: Pool): Promise<boolean> {
  return (await queryWithoutEvents(pool, ANY_LIMIT)).length > 0;
}

/** Decides the limits of which everything is known by now; returns the partners that have shown by them that they wait. */
export async function settleLimits(sql: Queryable): Promise<string[]> {
  return (await query<{ partnerId: string }>(sql, SETTLE_LIMITS)).map(({ partnerId }) => partnerId);
}
