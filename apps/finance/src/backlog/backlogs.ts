import type { BacklogReading } from '@reseller/database';

/** Looked at of each kind; with more than that, counts stop there. */
const MOST = 10_000;
/** A month has ended for so long before its statement counts as overdue; the job looks every ten minutes. */
const STATEMENT_GRACE = "interval '1 hour'";

/** Money that orders hold; the partial index over active reservations is as small as they are few. */
// Raw: ages by the database's clock, of a bounded number of rows.
const RESERVATIONS: BacklogReading = {
  name: 'reservations',
  statement: {
    name: 'reservation_backlog',
    text: `SELECT k.kind, e.environment, count(r.created_at) AS reservations,
        coalesce(extract(epoch FROM clock_timestamp() - min(r.since)), 0) AS seconds
      FROM (VALUES ('held'), ('lapsed')) AS k (kind) CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment)
      LEFT JOIN (
        SELECT created_at, CASE WHEN expires_at > clock_timestamp() THEN created_at ELSE expires_at END AS since,
          CASE WHEN expires_at > clock_timestamp() THEN 'held' ELSE 'lapsed' END AS kind,
          (SELECT w.environment FROM wallets w WHERE w.id = active.wallet_id) AS environment
        FROM (SELECT created_at, expires_at, wallet_id FROM reservations WHERE state = 'active' ORDER BY wallet_id LIMIT ${MOST}) AS active
      ) AS r USING (kind, environment)
      GROUP BY k.kind, e.environment`,
  },
  labels: ['kind', 'environment'],
  gauges: [
    {
      name: 'finance_reservations_active',
      help: `Active reservations, up to ${MOST}: held, or lapsed, which hold nothing and end with the wallet's next movement. Every instance shows the same: take max().`,
      column: 'reservations',
    },
    {
      name: 'finance_reservation_oldest_seconds',
      help: 'How long the oldest has been held, or has been past its term. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};

/** Few rows, one for each currency. */
// Raw: ages by the database's clock.
const RATES: BacklogReading = {
  name: 'rates',
  statement: {
    name: 'rate_ages',
    text: `SELECT currency, extract(epoch FROM clock_timestamp() - updated_at) AS seconds FROM display_rates
      ORDER BY currency LIMIT 200`,
  },
  labels: ['currency'],
  gauges: [
    {
      name: 'finance_rate_age_seconds',
      help: 'How long ago a display rate was set. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
  keepMs: 60_000,
};

/** The index over e-mails that are due. */
// Raw: the age by the database's clock.
const EMAILS: BacklogReading = {
  name: 'statement-emails',
  statement: {
    name: 'statement_email_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(email_due_at)), 0), 0) AS seconds
      FROM statements WHERE email_status = 'Pending'`,
  },
  gauges: [
    {
      name: 'finance_statement_email_overdue_seconds',
      help: 'How long the e-mail of a statement that is due longest has been due. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};

/** Goes through all wallets by their key, so it is read seldom. */
// Raw: the last statement of each wallet in one statement, by the database's clock.
const overdueStatements = (isScheduled: boolean): BacklogReading => ({
  name: 'statements',
  statement: {
    name: 'statements_overdue',
    text: `SELECT count(*) AS wallets FROM (
        SELECT FROM wallets w CROSS JOIN LATERAL (
          SELECT coalesce((SELECT period_to FROM statements WHERE wallet_id = w.id ORDER BY sequence_number DESC LIMIT 1),
                          w.opened_at) AS start) s
        WHERE $1::boolean AND (date_trunc('month', s.start AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
          <= clock_timestamp() - ${STATEMENT_GRACE}
        LIMIT ${MOST}) AS overdue`,
  },
  values: [isScheduled],
  gauges: [
    {
      name: 'finance_statements_overdue',
      help: `Wallets whose month ended over an hour ago without a statement, up to ${MOST}; 0 where no schedule makes them. Every instance shows the same: take max().`,
      column: 'wallets',
    },
  ],
  keepMs: 600_000,
});

/** What finance shows of what waits in its database. */
export const financeBacklogs = (settings: { isScheduled: boolean }): readonly BacklogReading[] => [
  RESERVATIONS,
  RATES,
  EMAILS,
  overdueStatements(settings.isScheduled),
];
