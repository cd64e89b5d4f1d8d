/** What this app's bundle can be started as beside the starter itself: its first argument. */
export const ROLES = {
  /** Holds PostgreSQL, which by itself would outlive the starter. */
  keepPostgres: 'keep-postgres',
  /** Holds PgBouncer likewise. */
  keepPgbouncer: 'keep-pgbouncer',
  /** Makes the cluster that new data directories are copies of, and a copy in advance; part of the build, and after a start that took it. */
  prepareCluster: 'prepare-cluster',
} as const;
