import { Client } from 'pg';
import { isUniqueViolation, sqlStateOf } from './database-errors';

const CONNECT_LIMIT_MS = 10_000;

/** Creates the URL's database when the server has none of that name; its user needs CREATEDB only then. */
export async function ensureDatabase(connectionString: string): Promise<void> {
  if (await exists(connectionString)) return;
  const url = new URL(connectionString);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const client = quietClient(url.href);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Two services that start at once may both find it missing (duplicate_database, or the catalogue's own key).
    if (sqlStateOf(error) !== '42P04' && !isUniqueViolation(error)) throw error;
  } finally {
    await client.end();
  }
}

async function exists(connectionString: string): Promise<boolean> {
  const client = quietClient(connectionString);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (sqlStateOf(error) === '3D000') return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A client whose backend may die: the statement under way then rejects, and nothing is thrown at the process. */
export function quietClient(connectionString: string): Client {
  const client = new Client({
    connectionString,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  return client;
}
