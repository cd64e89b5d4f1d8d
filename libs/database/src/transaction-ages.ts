import type { BacklogReading } from './backlogs';

/** Sessions that hold back the removal of dead rows, and slots that do; an autovacuum worker does not. */
const HOLDERS = `SELECT datname AS database, 'session' AS holder, extract(epoch FROM clock_timestamp() - xact_start) AS seconds,
    greatest(age(backend_xmin), age(backend_xid)) AS transactions
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND datname IS NOT NULL AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
    AND backend_type <> 'autovacuum worker'
  UNION ALL
  SELECT database, 'prepared', extract(epoch FROM clock_timestamp() - prepared), age(transaction) FROM pg_prepared_xacts
  UNION ALL
  SELECT coalesce(database, 'all'), 'slot', NULL, greatest(age(xmin), age(catalog_xmin)) FROM pg_replication_slots
  WHERE xmin IS NOT NULL OR catalog_xmin IS NOT NULL
  UNION ALL
  SELECT current_database(), 'session', 0, 0`;

/**
 * How old the oldest transaction of each database is, for `observeBacklogs`: all that was deleted or changed since stays where it
 * was, and queues read past it. Of other roles' sessions a role sees this with pg_read_all_stats only.
 */
export const transactionAges: BacklogReading = {
  name: 'transaction-ages',
  statement: {
    name: 'transaction_ages',
    text: `SELECT database, holder, coalesce(max(seconds), 0) AS seconds, coalesce(max(transactions), 0) AS transactions
      FROM (${HOLDERS}) AS h GROUP BY database, holder`,
  },
  labels: ['database', 'holder'],
  gauges: [
    {
      name: 'database_oldest_transaction_seconds',
      help: 'How long the oldest transaction of the database has been open, by what holds it (session, prepared). All services of a server show the same: take max().',
      column: 'seconds',
    },
    {
      name: 'database_oldest_xmin_transactions',
      help: 'How many transactions ago the oldest snapshot was taken that is still held, by what holds it (session, prepared, slot). All services of a server show the same: take max().',
      column: 'transactions',
    },
  ],
  keepMs: 15_000,
};
