import pg from 'pg';
import { databaseUrlOf } from '../platform/rows-of';

/**
 * Faults that PostgreSQL itself reports, so that what fails is a real statement in a real transaction. `disk full`: a trigger
 * before each row that is written raises 53100, as an insert into a file that cannot grow does; reads and deletes go on.
 * `read-only`: the database's default, with the sessions ended, as after a switch to a standby (25006). `time-outs`: somebody
 * holds every table locked, so that each statement runs into its own time-out (57014).
 */
export type DatabaseFault = 'disk full' | 'read-only' | 'time-outs';

/** A fault that lasts until it is lifted. */
export interface LastingFault {
  lift(): Promise<void>;
}

/** Brings a fault about in one database. */
export function bringAbout(fault: DatabaseFault, owner: string): Promise<LastingFault> {
  return FAULTS[fault](owner);
}

const FAULTS: Readonly<Record<DatabaseFault, (owner: string) => Promise<LastingFault>>> = {
  'disk full': fillDisk,
  'read-only': makeReadOnly,
  'time-outs': lockAll,
};

async function fillDisk(owner: string): Promise<LastingFault> {
  const become = (body: string) => (db: pg.Client) =>
    db.query(
      `CREATE OR REPLACE FUNCTION brown_out.write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$`,
    );
  const harmless = become('RETURN NEW');
  await within(owner, async (db) => {
    await db.query('CREATE SCHEMA IF NOT EXISTS brown_out');
    await harmless(db);
    for (const table of await tablesOf(db)) {
      await db.query(`CREATE OR REPLACE TRIGGER brown_out BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION brown_out.write()`);
    }
    // Triggers need locks, and so come first; what they do changes for all sessions in one moment, and back again.
    await become(
      "RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100', HINT = 'Check free disk space.'",
    )(db);
  });
  return { lift: () => within(owner, harmless).then(() => undefined) };
}

async function makeReadOnly(owner: string): Promise<LastingFault> {
  const setTo = (change: string): Promise<unknown> =>
    within(owner, async (db) => {
      const { rows } = await db.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
      await db.query(`SET default_transaction_read_only = off; ALTER DATABASE ${rows[0]!.name} ${change}`);
      await db.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    });
  await setTo('SET default_transaction_read_only = on');
  return { lift: () => setTo('RESET default_transaction_read_only').then(() => undefined) };
}

async function lockAll(owner: string): Promise<LastingFault> {
  const db = await connect(owner);
  // Whoever waits for a lock holds up who comes after: one table at a time, and from the start where there is a deadlock.
  for (let tries = 1; ; tries += 1) {
    try {
      await db.query('BEGIN');
      for (const table of await tablesOf(db)) await db.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      break;
    } catch (error) {
      await db.query('ROLLBACK');
      if (tries === 10) throw error;
    }
  }
  return { lift: () => db.end() };
}

/** Tables of everybody but PostgreSQL; partitions come with what they are partitions of. */
async function tablesOf(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

async function connect(owner: string): Promise<pg.Client> {
  const db = new pg.Client({
    connectionString: databaseUrlOf(owner),
    options: '-c default_transaction_read_only=off',
  });
  db.on('error', () => undefined);
  await db.connect();
  return db;
}

async function within<T>(owner: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = await connect(owner);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
