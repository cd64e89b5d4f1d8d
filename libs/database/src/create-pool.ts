import type { Logger } from 'pino';
import { types, type CustomTypesConfig, type Pool } from 'pg';
import type { Registry } from 'prom-client';
import { PatientPool } from './patient-pool';
import { observePool } from './pool-metrics';

/** How a pool is set up; all times in milliseconds. */
export interface PoolSettings {
  connectionString: string;
  /** The most connections it opens; hot wallets run faster with few. */
  max: number;
  /** Shown in pg_stat_activity, in the log and as a metric's label. */
  name: string;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics?: Registry;
  /** The server ends a statement that runs longer; 15,000 by default. */
  statementTimeoutMs?: number;
  /** The server ends a transaction that stands idle longer; 30,000 by default. */
  idleInTransactionTimeoutMs?: number;
  /** How long a caller waits for a connection; 5,000 by default. */
  acquireTimeoutMs?: number;
}

/** A read takes a few milliseconds, so this is about half a second of waiting. */
const READS_WAITING_PER_CONNECTION = 64;

const dateOid = 1082;

/** A calendar date is no moment: pg would make it local midnight, so it stays text (YYYY-MM-DD). */
const parsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === dateOid
      ? (value: string) => value
      : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
};

/**
 * Opens a pool whose caller gets a connection or an error within `acquireTimeoutMs`; numeric and int8 come as strings,
 * timestamptz as Date, date as text. A backend that dies is logged and replaced, never thrown at the process.
 */
export function createPool(settings: PoolSettings): Pool {
  const pool = new PatientPool(
    {
      connectionString: settings.connectionString,
      max: settings.max,
      application_name: settings.name,
      connectionTimeoutMillis: settings.acquireTimeoutMs ?? 5_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: settings.statementTimeoutMs ?? 15_000,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs ?? 30_000,
      keepAlive: true,
      types: parsers,
    },
    READS_WAITING_PER_CONNECTION * settings.max,
  );
  pool.on('error', (error) =>
    settings.log.warn({ err: error, pool: settings.name }, 'an idle database connection ended'),
  );
  // A client has no listener of the pool's while it is checked out, and its caller has none for a moment: what the server
  // says then must not end the process. The next statement rejects.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  if (settings.metrics) observePool(pool, settings.name, settings.metrics);
  return pool;
}
