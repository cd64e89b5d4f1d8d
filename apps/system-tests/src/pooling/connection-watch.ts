import pg from 'pg';
import type { PlatformDescription } from '../platform/platform-file';

/** The most that was seen at once. */
export interface MostConnections {
  /** Clients at the pooler, and those of them that waited for a server connection. */
  clients: number;
  waiting: number;
  /** Of the pooler's to PostgreSQL, for services. */
  servers: number;
  /** Of services' own, past the pooler. */
  direct: number;
}

const EVERY_MS = 250;

// A connection of the pooler's has no name; those past it have the pool's.
const SERVER_SIDE = `SELECT count(*) FILTER (WHERE application_name = '')::int AS servers,
    count(*) FILTER (WHERE application_name NOT IN ('', 'migrate'))::int AS direct
  FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND (usename LIKE '%\\_runtime' OR usename = 'event_bus')`;

/** Watches how many connections stand at the pooler, and how many PostgreSQL has of the services. */
export class ConnectionWatch {
  readonly most: MostConnections = { clients: 0, waiting: 0, servers: 0, direct: 0 };
  private readonly timer: NodeJS.Timeout;
  private reading: Promise<void> | undefined;

  constructor(private readonly platform: PlatformDescription) {
    this.timer = setInterval(() => {
      // On a machine that is full, or while the pooler is away, a sample is missed.
      this.reading ??= this.read()
        .catch(() => undefined)
        .finally(() => (this.reading = undefined));
    }, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.reading;
  }

  private async read(): Promise<void> {
    const { databases, poolerUrl = '' } = this.platform;
    const [server] = await rowsOf<Pick<MostConnections, 'servers' | 'direct'>>(
      databases['finance'] ?? '',
      SERVER_SIDE,
    );
    const pools = await rowsOf<Record<string, string>>(poolerUrl, 'SHOW POOLS');
    const sum = (...columns: string[]): number =>
      pools
        .filter(({ database }) => database !== 'pgbouncer')
        .reduce((total, pool) => total + columns.reduce((of, name) => of + Number(pool[name] ?? 0), 0), 0);
    const now = { ...server, clients: sum('cl_active', 'cl_waiting'), waiting: sum('cl_waiting') };
    for (const [name, count] of Object.entries(now)) {
      const key = name as keyof MostConnections;
      this.most[key] = Math.max(this.most[key], count);
    }
  }
}

async function rowsOf<T extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
