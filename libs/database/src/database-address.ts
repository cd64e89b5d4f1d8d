/** What stands between a service and PostgreSQL: nothing, a pooler in transaction mode, or one that keeps prepared statements as well. */
export type Pooler = 'none' | 'transaction' | 'transaction-prepared';

/** Where a database is reached. */
export interface DatabaseAddress {
  readonly connectionString: string;
  /** What `connectionString` leads through; `none` by default. */
  readonly pooler?: Pooler | undefined;
  /** Past the pooler, for whatever needs a session of its own. */
  readonly directConnectionString?: string | undefined;
}

/** The settings that say so (`databaseConfig` in service-kit). */
export interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_POOLER?: Pooler | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}

/** What `createPool` takes of a service's settings; throws a sentence with the setting's name when they do not fit. */
export function databaseAddress(settings: DatabaseSettings): DatabaseAddress {
  const { DATABASE_URL, DATABASE_POOLER: pooler = 'none', DATABASE_DIRECT_URL } = settings;
  if (pooler !== 'none' && !DATABASE_DIRECT_URL)
    throw new Error('DATABASE_DIRECT_URL is missing: expected with DATABASE_POOLER');
  return { connectionString: DATABASE_URL, pooler, directConnectionString: DATABASE_DIRECT_URL };
}

/** Whether statements of one client may reach the server over one connection after another. */
export const isPooled = ({ pooler = 'none' }: DatabaseAddress): boolean => pooler !== 'none';

/** The address that leads to a session of one's own; throws where only a pooler's is known. */
export function directAddress(address: DatabaseAddress): string {
  const { connectionString, directConnectionString } = address;
  if (directConnectionString) return directConnectionString;
  if (isPooled(address)) throw new Error('a session needs an address that leads past the pooler');
  return connectionString;
}
