import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

export const POSTGRES_USER = 'platform';
const STARTING_UP = '57P03';

/** A database for each service, the event bus and the vendor simulator, by the name of who owns it. */
export const databaseNames = {
  identity: 'identity',
  'orders-saga': 'orders_saga',
  'scent-commerce': 'scent_commerce',
  finance: 'finance',
  notifier: 'notifier',
  'vendor-simulator': 'vendor_simulator',
  'event-bus': 'event_bus',
} as const;

/** Who owns a database. */
export type DatabaseOwner = keyof typeof databaseNames;

/** Where each database is reached. */
export function databaseUrls(port: number, password: string): Record<DatabaseOwner, string> {
  const url = (database: string): string =>
    `postgresql://${POSTGRES_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const entries = Object.entries(databaseNames).map(([owner, database]) => [owner, url(database)]);
  return Object.fromEntries(entries) as Record<DatabaseOwner, string>;
}

/** A server that replays its log after a crash accepts connections only to refuse them. */
async function connectWhenUp(connectionString: string): Promise<Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if ((error as { code?: string }).code !== STARTING_UP || tries > 1_000) throw error;
      await sleep(50);
    }
  }
}

/** Creates the databases that are not there yet. */
export async function createDatabases(port: number, password: string): Promise<void> {
  const base = databaseUrls(port, password).identity;
  const client = await connectWhenUp(base.replace(/\/identity$/, '/postgres'));
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const present = new Set(rows.map((row) => row.datname));
    for (const name of Object.values(databaseNames)) {
      if (present.has(name)) continue;
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
}
