export { initialiseCluster } from './initialise-cluster';
export { commandOf } from './process-table';
export { endStalePostmaster } from './stale-postmaster';
export { spawnPostgres, stopPostgres } from './spawn-postgres';
export type { ClusterServer } from './spawn-postgres';
