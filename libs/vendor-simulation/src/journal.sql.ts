import type { PreparedStatement } from '@reseller/database';
import type { SimulatedProductName } from './products';

/**
 * The journal's table, for the migration of each service that runs the simulation: one row for each key.
 * A second delivery under one key breaks the row's constraints, so it cannot be recorded, whatever the code does.
 */
export const VENDOR_SIMULATION_SQL = `CREATE TABLE vendor_journal (
  idempotency_key text PRIMARY KEY CHECK (length(idempotency_key) BETWEEN 1 AND 128),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  product text NOT NULL,
  recipient text NOT NULL,
  product_sku text,
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  scenario text NOT NULL,
  outages smallint NOT NULL,
  settles_at_poll smallint NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('success', 'refused', 'unknown')),
  reason text,
  state text NOT NULL CHECK (state IN ('outage', 'pending', 'success', 'refused', 'unknown')),
  vendor_order_id text NOT NULL UNIQUE,
  activation jsonb,
  submissions integer NOT NULL DEFAULT 1,
  inquiries integer NOT NULL DEFAULT 0,
  polls integer NOT NULL DEFAULT 0,
  deliveries smallint NOT NULL CHECK (deliveries IN (0, 1)),
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  CHECK ((deliveries = 1) = (state = 'success')),
  CHECK ((deliveries = 1) = (delivered_at IS NOT NULL))
);
`;

const ROW = `idempotency_key, seq::text, product, recipient, product_sku, amount::text, currency, scenario, verdict,
  reason, state, vendor_order_id, activation, submissions, inquiries, polls, deliveries, received_at, delivered_at`;

/** A journal row as the database returns it. */
export interface JournalRow {
  idempotency_key: string;
  seq: string;
  product: SimulatedProductName;
  recipient: string;
  product_sku: string | null;
  amount: string;
  currency: string;
  scenario: string;
  verdict: 'success' | 'refused' | 'unknown';
  reason: string | null;
  state: 'outage' | 'pending' | 'success' | 'refused' | 'unknown';
  vendor_order_id: string;
  activation: unknown;
  submissions: number;
  inquiries: number;
  polls: number;
  deliveries: number;
  received_at: Date;
  delivered_at: Date | null;
}

// What a row becomes once the outages are over: pending when the verdict takes polls, else the verdict.
const TAKEN = `CASE WHEN j.settles_at_poll > 0 THEN 'pending' ELSE j.verdict END`;
const IS_TAKEN_NOW = `j.state = 'outage' AND j.submissions + 1 > j.outages`;
const DELIVERS_ON_SUBMIT = `(${IS_TAKEN_NOW} AND ${TAKEN} = 'success')`;

/**
 * Submissions of different keys ($1, a JSON array): the first of its key writes the row, a later one counts and returns what is on
 * record. No row: the key is on record with other values.
 */
export const SUBMIT: PreparedStatement = {
  name: 'vendor_journal_submit_all',
  text: `INSERT INTO vendor_journal AS j (idempotency_key, product, recipient, product_sku, amount, currency,
      scenario, outages, settles_at_poll, verdict, reason, state, vendor_order_id, activation, deliveries, delivered_at)
    SELECT s.*, CASE WHEN s.state = 'success' THEN 1 ELSE 0 END, CASE WHEN s.state = 'success' THEN clock_timestamp() END
    FROM jsonb_to_recordset($1::jsonb) AS s (idempotency_key text, product text, recipient text, product_sku text,
      amount numeric, currency text, scenario text, outages smallint, settles_at_poll smallint, verdict text, reason text,
      state text, vendor_order_id text, activation jsonb)
    ON CONFLICT (idempotency_key) DO UPDATE SET
      submissions = j.submissions + 1,
      state = CASE WHEN ${IS_TAKEN_NOW} THEN ${TAKEN} ELSE j.state END,
      deliveries = j.deliveries + CASE WHEN ${DELIVERS_ON_SUBMIT} THEN 1 ELSE 0 END,
      delivered_at = CASE WHEN ${DELIVERS_ON_SUBMIT} THEN clock_timestamp() ELSE j.delivered_at END
    WHERE (j.product, j.recipient, j.amount, j.currency) = (excluded.product, excluded.recipient, excluded.amount, excluded.currency)
      AND j.product_sku IS NOT DISTINCT FROM excluded.product_sku
    RETURNING ${ROW}`,
};

const SETTLES = `(j.state = 'pending' AND j.polls + 1 >= j.settles_at_poll)`;
const DELIVERS_ON_POLL = `(${SETTLES} AND j.verdict = 'success')`;

/** One inquiry: counts, and settles a pending order when its poll has come. */
export const INQUIRE: PreparedStatement = {
  name: 'vendor_journal_inquire',
  text: `UPDATE vendor_journal AS j SET
      inquiries = j.inquiries + 1,
      polls = j.polls + CASE WHEN j.state = 'pending' THEN 1 ELSE 0 END,
      state = CASE WHEN ${SETTLES} THEN j.verdict ELSE j.state END,
      deliveries = j.deliveries + CASE WHEN ${DELIVERS_ON_POLL} THEN 1 ELSE 0 END,
      delivered_at = CASE WHEN ${DELIVERS_ON_POLL} THEN clock_timestamp() ELSE j.delivered_at END
    WHERE j.idempotency_key = $1
    RETURNING ${ROW}`,
};

/** A page of the journal in the order in which keys were first seen. */
export const LIST: PreparedStatement = {
  name: 'vendor_journal_list',
  text: `SELECT ${ROW} FROM vendor_journal WHERE seq > $1 ORDER BY vendor_journal.seq LIMIT $2`,
};

/** One row of the journal, changing no counter. */
export const FIND: PreparedStatement = {
  name: 'vendor_journal_find',
  text: `SELECT ${ROW} FROM vendor_journal WHERE idempotency_key = $1`,
};
