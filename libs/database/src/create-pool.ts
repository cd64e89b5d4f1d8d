import type { Logger } from 'pino';
import {
  types,
  type ClientBase,
  type CustomTypesConfig,
  type Pool,
  type PoolClient,
  type PoolConfig,
} from 'pg';
import type { Registry } from 'prom-client';
import { directAddress, isPooled, type DatabaseAddress } from './database-address';
import { DEFAULT_LIMITS, SESSION_TIME_ZONE } from './limits';
import { PatientPool } from './patient-pool';
import { observePool } from './pool-metrics';
import { SessionPool } from './session-pool';
import { closeDeadConnections, type OpenClient } from './silent-connections';

/** How a pool is set up; all times in milliseconds. */
export interface PoolSettings extends DatabaseAddress {
  /** The most connections it opens; hot wallets run faster with few. */
  max: number;
  /** In the log, as a metric's label, and without a pooler in pg_stat_activity. */
  name: string;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics?: Registry;
  /** The server ends a statement that runs longer; 15,000 by default. */
  statementTimeoutMs?: number;
  /** The server ends a transaction that stands idle longer; 30,000 by default. */
  idleInTransactionTimeoutMs?: number;
  /**
   * The server ends a transaction that takes longer, with its connection; 60,000 by default, 0 for none. One that is forgotten keeps
   * what was deleted since from being removed, which makes every queue of its database slower from minute to minute. A server before
   * PostgreSQL 17 has no such limit: there the two above have to do.
   */
  transactionTimeoutMs?: number;
  /** How long a caller waits for a connection; 5,000 by default. */
  acquireTimeoutMs?: number;
  /** Whether its address may lead to several servers, as one of replicas does: what a new connection leads to says nothing of the others. */
  mayLeadToSeveral?: boolean;
}

/**
 * The server looks, too, whether a client is still there: of one whose machine is gone it would keep the session for two hours
 * otherwise, and the locks of it, by which one process at a time reconciles or archives.
 */
const SET_UP_SESSION = `SELECT set_config(s.name, s.value, false)
  FROM (VALUES ('TimeZone', '${SESSION_TIME_ZONE}'), ('transaction_timeout', $1::text), ('tcp_keepalives_idle', '10'),
    ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3')) AS s (name, value)
  WHERE s.name <> 'transaction_timeout' OR current_setting('server_version_num')::int >= 170000`;

/** The server ends a statement at its time-out and says so; so much later, or half of it, it is the connection that is dead. */
const SILENCE_MARGIN_MS = 3_000;

const KEEPALIVE_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 5_000;
/** A read takes a few milliseconds, so this is about half a second of waiting. */
const READS_WAITING_PER_CONNECTION = 64;

const DATE_OID = 1082;

/** A calendar date is no moment: pg would make it local midnight, so it stays text (YYYY-MM-DD). */
const parsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID
      ? (value: string) => value
      : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
};

/**
 * Opens a pool whose caller gets a connection or an error within `acquireTimeoutMs`; numeric and int8 come as strings,
 * timestamptz as Date, date as text; every session is in UTC. A backend that dies, or is silent for longer than a statement
 * may take, is logged and replaced, never thrown at the process. Behind a pooler the server's limits are those of the role (`keepRoleLimits`).
 */
export const createPool = (settings: PoolSettings): Pool =>
  openPool(settings, (config, maxWaiting) => new PatientPool(config, maxWaiting));

/** The same, of another class of pool. */
export function openPool<P extends PatientPool>(
  settings: PoolSettings,
  open: (config: PoolConfig, maxWaiting: number) => P,
): P {
  const { connectionString } = settings;
  const config = {
    connectionString,
    ...clientConfig(settings),
    ...(!isPooled(settings) && ownSession(settings)),
  };
  const pool = open(config, READS_WAITING_PER_CONNECTION * settings.max);
  if (settings.pooler === 'transaction') pool.on('connect', sendUnnamed);
  if (!isPooled(settings) && !settings.mayLeadToSeveral)
    closeDeadConnections(pool, config, settings.log, settings.name);
  return watched(pool, settings);
}

/** The same, past a pooler: for what a session keeps from one statement to the next (LISTEN, advisory locks). Few are to be had. */
export function createSessionPool(settings: PoolSettings): SessionPool {
  const config = {
    connectionString: directAddress(settings),
    ...clientConfig(settings),
    ...ownSession(settings),
  };
  const pool = new SessionPool(config, READS_WAITING_PER_CONNECTION * settings.max);
  closeDeadConnections(pool, config, settings.log, settings.name);
  return watched(pool, settings);
}

function clientConfig({ max, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS }: PoolSettings): PoolConfig {
  return {
    max,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Of a server that is gone without a word the system says so after two hours otherwise; who only listens sends nothing.
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    types: parsers,
  };
}

/** What a connection keeps to itself. A pooler refuses it, or gives it to whoever has the server's connection next. */
function ownSession(settings: PoolSettings): PoolConfig {
  const transactionMs = settings.transactionTimeoutMs ?? DEFAULT_LIMITS.transaction_timeout;
  return {
    application_name: settings.name,
    statement_timeout: statementTimeoutOf(settings),
    idle_in_transaction_session_timeout:
      settings.idleInTransactionTimeoutMs ?? DEFAULT_LIMITS.idle_in_transaction_session_timeout,
    // The pool waits for what it returns; its types do not say so.
    onConnect: setUpSession(transactionMs, settings.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS) as (
      client: ClientBase,
    ) => void,
  };
}

const statementTimeoutOf = ({
  statementTimeoutMs = DEFAULT_LIMITS.statement_timeout,
}: PoolSettings): number => statementTimeoutMs;

function watched<P extends Pool>(pool: P, settings: PoolSettings): P {
  const statementTimeoutMs = statementTimeoutOf(settings);
  pool.on('error', (error) =>
    settings.log.warn({ err: error, pool: settings.name }, 'an idle database connection ended'),
  );
  // A client has no listener of the pool's while it is checked out, and its caller has none for a moment: what the server
  // says then must not end the process. The next statement rejects.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    const marginMs = Math.min(SILENCE_MARGIN_MS, statementTimeoutMs / 2);
    if (statementTimeoutMs > 0) endWhenSilent(client, statementTimeoutMs + marginMs);
  });
  if (settings.metrics) observePool(pool, settings.name, settings.metrics);
  return pool;
}

/** Has a client prepare nothing by name: its next statement may go to a server connection that has never seen it. */
function sendUnnamed(client: PoolClient): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const unnamed = (statement: unknown, ...rest: unknown[]): unknown =>
    send(hasName(statement) ? { ...statement, name: undefined } : statement, ...rest);
  client.query = unnamed as PoolClient['query'];
}

const hasName = (statement: unknown): statement is { name: unknown } =>
  typeof statement === 'object' && statement !== null && 'name' in statement;

/**
 * Sets a new connection's time zone, its keepalive and its limit for transactions, where the server has one; waits no longer for it
 * than given.
 */
function setUpSession(limitMs: number, waitMs: number): (client: ClientBase) => Promise<unknown> {
  const statement = { text: SET_UP_SESSION, values: [limitMs], query_timeout: waitMs };
  return (client) => client.query(statement);
}

/** A server that vanished without a word would keep its callers, and their places in the pool, until the system gives up. */
function endWhenSilent(client: PoolClient, limitMs: number): void {
  const { connection } = client as OpenClient;
  connection.stream.setTimeout(limitMs);
  connection.stream.on('timeout', () => {
    // One that nobody waits for may be silent for as long as it likes.
    if (!(client as OpenClient).readyForQuery) connection.stream.destroy();
  });
}
