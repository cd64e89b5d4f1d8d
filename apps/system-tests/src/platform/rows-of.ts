import pg from 'pg';
import { readPlatformFile } from './platform-file';

/** Databases beside the services' own. */
const OTHERS: Readonly<Record<string, string>> = {
  'vendor-simulator': '/vendor_simulator',
  'event-bus': '/event_bus',
};

/** Where the database of a service is reached, or of the vendor simulator, or of the event bus. */
export function databaseUrlOf(owner: string): string {
  const { databases } = readPlatformFile();
  const url = new URL(databases[owner] ?? databases['orders-saga'] ?? '');
  if (OTHERS[owner]) url.pathname = OTHERS[owner];
  return url.href;
}

/** The rows that a statement returns from the database of `owner`. */
export async function rowsOf<T extends pg.QueryResultRow>(
  owner: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrlOf(owner) });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
