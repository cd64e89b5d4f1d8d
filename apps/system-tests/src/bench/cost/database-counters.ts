import pg from 'pg';
import { WATCHER } from './postgres-cpu';

/** Changes of rows: hot ones are among the updated. */
export interface RowChanges {
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly deleted: number;
}

/** What PostgreSQL has counted so far. */
export interface Counted {
  readonly walBytes: number;
  readonly commits: ReadonlyMap<string, number>;
  /** By database.table. */
  readonly changes: ReadonlyMap<string, RowChanges>;
}

/** An idle process reports its counts this late (PGSTAT_IDLE_INTERVAL of PostgreSQL is 10 s). */
export const COUNTS_SETTLE_MS = 10_500;

const NONE: RowChanges = { inserted: 0, updated: 0, hot: 0, deleted: 0 };

/** Reads PostgreSQL's counters of all databases of a platform; its own reads are rolled back, and not counted as commits. */
export class DatabaseCounters {
  private constructor(
    private readonly admin: pg.Client,
    private readonly clients: ReadonlyMap<string, pg.Client>,
  ) {}

  /** Connects to every database of the server that a connection string leads to. */
  static async connect(connectionString: string): Promise<DatabaseCounters> {
    const admin = await connectAs(connectionString, 'postgres');
    const { rows } = await admin.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres' ORDER BY 1`,
    );
    const clients = new Map<string, pg.Client>();
    for (const { datname } of rows) clients.set(datname, await connectAs(connectionString, datname));
    return new DatabaseCounters(admin, clients);
  }

  /** Bytes of the write-ahead log so far, right up to now. */
  async walBytes(): Promise<number> {
    const { rows } = await this.admin.query<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
    );
    return Number(rows[0]?.bytes);
  }

  /** All counters; exact once nothing has run for COUNTS_SETTLE_MS. */
  async read(): Promise<Counted> {
    const { rows } = await this.admin.query<{ name: string; commits: string }>(
      `SELECT datname AS name, xact_commit AS commits FROM pg_stat_database WHERE datname = ANY($1)`,
      [[...this.clients.keys()]],
    );
    const changes = new Map<string, RowChanges>();
    for (const [database, client] of this.clients) await readChanges(database, client, changes);
    return {
      walBytes: await this.walBytes(),
      commits: new Map(rows.map(({ name, commits }) => [name, Number(commits)])),
      changes,
    };
  }

  async close(): Promise<void> {
    for (const client of [this.admin, ...this.clients.values()]) await client.end();
  }
}

async function connectAs(connectionString: string, database: string): Promise<pg.Client> {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href, application_name: WATCHER });
  // A platform that stops ends its connections; whoever uses them next gets an error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function readChanges(
  database: string,
  client: pg.Client,
  into: Map<string, RowChanges>,
): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ name: string } & Record<keyof RowChanges, string>>(
    `SELECT relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_hot_upd AS hot, n_tup_del AS deleted
     FROM pg_stat_user_tables`,
  );
  await client.query('ROLLBACK');
  for (const { name, ...row } of rows) {
    into.set(`${database}.${name}`, {
      inserted: Number(row.inserted),
      updated: Number(row.updated),
      hot: Number(row.hot),
      deleted: Number(row.deleted),
    });
  }
}

/** What was counted between two readings. */
export function countedSince(before: Counted, after: Counted): Counted {
  const changes = new Map<string, RowChanges>();
  for (const [name, row] of after.changes) {
    const old = before.changes.get(name) ?? NONE;
    changes.set(name, {
      inserted: row.inserted - old.inserted,
      updated: row.updated - old.updated,
      hot: row.hot - old.hot,
      deleted: row.deleted - old.deleted,
    });
  }
  return {
    walBytes: after.walBytes - before.walBytes,
    commits: new Map(
      [...after.commits].map(([name, count]) => [name, count - (before.commits.get(name) ?? 0)]),
    ),
    changes,
  };
}
