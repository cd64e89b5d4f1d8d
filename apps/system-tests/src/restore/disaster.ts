import { spawnPostgres, stopPostgres } from '@reseller/local-postgres';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { until } from '../until';
import { readPlatformFile } from '../platform/platform-file';
import type { StartedPlatform } from '../platform/start-platform';

/** One row of the vendor's own journal. */
export type VendorRow = Readonly<Record<string, unknown>> & {
  readonly idempotency_key: string;
  readonly deliveries: number;
};

const vendorUrl = (base: string): string => {
  const url = new URL(base);
  url.pathname = '/vendor_simulator';
  return url.href;
};

/**
 * Kills every process with SIGKILL, PostgreSQL last, all within moments. Returns what the vendor of live orders has on
 * record: it is another company, whose books no disaster of ours touches.
 */
export async function strike({ file, pid }: StartedPlatform): Promise<VendorRow[]> {
  const { pids, databases } = readPlatformFile(file);
  const { postgres = 0, ...services } = pids;
  // The starter first, or it would start the others again; then the keeper, or it would stop PostgreSQL in good order.
  for (const one of [pid, parentOf(postgres), ...Object.values(services)]) kill(one);
  const client = new pg.Client({ connectionString: vendorUrl(databases['finance'] ?? '') });
  await client.connect();
  const { rows } = await client.query<{ row: VendorRow }>(
    'SELECT to_jsonb(v) AS row FROM vendor_journal AS v',
  );
  client.on('error', () => undefined);
  kill(postgres);
  await client.end().catch(() => undefined);
  await until('all processes are gone', () => [pid, postgres, ...Object.values(services)].every(isGone));
  rmSync(file, { force: true });
  return rows.map(({ row }) => row);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Gone, or a zombie that nobody has collected yet. */
function isGone(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return true;
  return /^\S+ \(.*\) Z/.test(readFileSync(file, 'utf8'));
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Starts the restored server by itself, waits until it has replayed the log, gives the vendor its books back, and does what is due before services start. */
export async function replay(
  directory: string,
  connection: { url: string; settings: Record<string, string> },
  vendor: readonly VendorRow[],
  beforeServices: (url: string) => Promise<void>,
): Promise<void> {
  const url = new URL(connection.url);
  const settings = { max_connections: '400', ...connection.settings };
  const server = spawnPostgres({ directory: path.resolve(directory), port: Number(url.port), settings }, [
    'ignore',
    'ignore',
    'ignore',
  ]);
  const ended = once(server, 'exit').then(() =>
    Promise.reject(new Error('the restored server does not start')),
  );
  ended.catch(() => undefined);
  try {
    const replayed = until(
      'the log is replayed',
      async () => {
        const one = new pg.Client({ connectionString: vendorUrl(connection.url) });
        await one.connect();
        const { rows } = await one.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
        if (!rows[0]?.is) return one;
        await one.end();
        return undefined;
      },
      120_000,
    );
    const client = await Promise.race([replayed, ended]);
    await client.query('TRUNCATE vendor_journal');
    await client.query(
      'INSERT INTO vendor_journal OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(NULL::vendor_journal, one)).* FROM jsonb_array_elements($1) AS one',
      [JSON.stringify(vendor)],
    );
    await client.query(
      "SELECT setval(pg_get_serial_sequence('vendor_journal', 'seq'), max(seq)) FROM vendor_journal",
    );
    await client.end();
    await beforeServices(connection.url);
  } finally {
    await stopPostgres(server, 30_000);
  }
}
