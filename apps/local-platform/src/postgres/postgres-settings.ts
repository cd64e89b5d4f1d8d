import { archiveSettings, makeArchive } from '@reseller/local-postgres';

/** What one instance of each service may hold at most, event bus included. */
const CONNECTIONS_OF_ONE_EACH = 100;

/** Set for a small machine that everything shares; nothing here trades durability for speed. */
export const postgresSettings = (instances: number): Record<string, string> => ({
  max_connections: String(200 + CONNECTIONS_OF_ONE_EACH * (instances - 1)),
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Nothing replicates from a local platform, so the log holds only what recovery needs.
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  autovacuum_naptime: '1min',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
});

const ARCHIVE_TIMEOUT_S = 60;

/** Copies the log into POSTGRES_ARCHIVE_DIR as it is written, every minute or POSTGRES_ARCHIVE_TIMEOUT_S, when that is set. */
export function archiveOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const directory = env['POSTGRES_ARCHIVE_DIR']?.trim();
  if (!directory) return {};
  makeArchive(directory);
  return archiveSettings(directory, Number(env['POSTGRES_ARCHIVE_TIMEOUT_S']) || ARCHIVE_TIMEOUT_S);
}
