import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveDatabase, makeRoles, withClient } from './database-roles';

/** The administrator of this machine's server, as whom no service connects. */
export const POSTGRES_USER = 'platform';
/** It does not listen yet, or replays its log. */
const NOT_UP_YET = ['ECONNREFUSED', '57P03'];

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

/** What only this installation knows of its databases. */
export interface DatabaseSecrets {
  postgresPassword: string;
  /** The passwords of all other roles come from it. */
  databasePasswordKey: string;
}

/** How a database is reached, as whom. */
export interface DatabaseUrls {
  /** The server's administrator. */
  admin: string;
  /** Owns the database and migrates it. */
  owner: string;
  /** What the service runs as: no more than its grants.sql says. The event bus makes its own tables, so it is the owner there. */
  runtime: string;
}

const ownerRole = (database: string): string => database;
const runtimeRole = (database: string): string =>
  database === databaseNames['event-bus'] ? ownerRole(database) : `${database}_runtime`;

const passwordOf = (role: string, { databasePasswordKey }: DatabaseSecrets): string =>
  createHmac('sha256', databasePasswordKey).update(role).digest('base64url');

function passwordsOf(secrets: DatabaseSecrets): Map<string, string> {
  const roles = Object.values(databaseNames).flatMap((name) => [ownerRole(name), runtimeRole(name)]);
  return new Map(roles.map((role) => [role, passwordOf(role, secrets)]));
}

/** The administrator's address of a server of this machine. */
export const localServer = (port: number, { postgresPassword }: DatabaseSecrets): string =>
  `postgresql://${POSTGRES_USER}:${encodeURIComponent(postgresPassword)}@127.0.0.1:${port}/postgres`;

/** Where each database of a server is reached; `server` is its administrator's address. */
export function databaseUrls(server: string, secrets: DatabaseSecrets): Record<DatabaseOwner, DatabaseUrls> {
  const url = (database: string, login: { username?: string; password?: string } = {}): string =>
    Object.assign(new URL(server), { pathname: `/${database}`, ...login }).href;
  const as = (database: string, role: string): string =>
    url(database, { username: role, password: passwordOf(role, secrets) });
  const entries = Object.entries(databaseNames).map(([owner, database]) => [
    owner,
    {
      admin: url(database),
      owner: as(database, ownerRole(database)),
      runtime: as(database, runtimeRole(database)),
    },
  ]);
  return Object.fromEntries(entries) as Record<DatabaseOwner, DatabaseUrls>;
}

async function connectWhenUp(connectionString: string): Promise<Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!NOT_UP_YET.includes((error as { code?: string }).code ?? '') || tries > 1_000) throw error;
      await sleep(50);
    }
  }
}

/** Gives the roles of a copied cluster, which has the databases and gave them away, the passwords of this installation. */
export async function changePasswords(server: string, secrets: DatabaseSecrets): Promise<void> {
  const client = await connectWhenUp(server);
  await makeRoles(client, passwordsOf(secrets)).finally(() => client.end());
}

/**
 * Creates the databases and roles that are not there yet, and gives each database with all that is in it to its owner:
 * before there were roles everything was the administrator's.
 */
export async function createDatabases(server: string, secrets: DatabaseSecrets): Promise<void> {
  const urls = databaseUrls(server, secrets);
  const client = await connectWhenUp(server);
  try {
    await makeRoles(client, passwordsOf(secrets));
    const names = Object.values(databaseNames);
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const present = new Set(rows.map((row) => row.datname));
    for (const name of names)
      if (!present.has(name)) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    // Together, for each by itself would wait for the disk.
    const commands = names.map((name) => {
      const database = client.escapeIdentifier(name);
      return `ALTER DATABASE ${database} OWNER TO ${client.escapeIdentifier(ownerRole(name))};
              REVOKE ALL ON DATABASE ${database} FROM PUBLIC`;
    });
    await client.query(commands.join('; '));
  } finally {
    await client.end();
  }
  await Promise.all(
    Object.entries(databaseNames).map(([owner, name]) =>
      withClient(urls[owner as DatabaseOwner].admin, (one) => giveDatabase(one, ownerRole(name))),
    ),
  );
}
