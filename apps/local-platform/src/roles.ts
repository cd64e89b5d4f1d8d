/** What this app's bundle can be started as beside the starter itself: its first argument. */
export const ROLES = {
  /** Holds PostgreSQL, which by itself would outlive the starter. */
  keepPostgres: 'keep-postgres',
  /** Holds PgBouncer likewise. */
  keepPgbouncer: 'keep-pgbouncer',
  /** Makes the cluster that new data directories are copies of; part of the build. */
  prepareCluster: 'prepare-cluster',
} as const;
