import { Client } from 'pg';
import { isUniqueViolation, sqlStateOf } from './database-errors';

/** Creates the URL's database when the server has none of that name; its user needs CREATEDB only then. */
export async function ensureDatabase(connectionString: string): Promise<void> {
  if (await exists(connectionString)) return;
  const url = new URL(connectionString);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
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
  const client = new Client({ connectionString });
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
