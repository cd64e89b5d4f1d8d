import { Client } from 'pg';
import { isUniqueViolation, sqlStateOf } from './database-errors';

const CONNECT_LIMIT_MS = 10_000;

/** Creates the URL's database when the server has none of that name; its user needs CREATEDB only then. */
export async function ensureDatabase(connectionString: string): Promise<void> {
  const client = await connectOrCreate(connectionString);
  await client.end();
}

/** The same, and stays connected. */
export async function connectOrCreate(connectionString: string): Promise<Client> {
  try {
    return await connect(connectionString);
  } catch (error) {
    if (sqlStateOf(error) !== '3D000') throw error;
    await createDatabase(connectionString);
    return connect(connectionString);
  }
}

async function createDatabase(connectionString: string): Promise<void> {
  const url = new URL(connectionString);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const client = await connect(url.href);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Two services that start at once may both find it missing (duplicate_database, or the catalogue's own key).
    if (sqlStateOf(error) !== '42P04' && !isUniqueViolation(error)) throw error;
  } finally {
    await client.end();
  }
}

/** Connects a client whose backend may die: the statement under way then rejects, and nothing is thrown at the process. */
export async function connect(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
