import pg from 'pg';
import { readPlatformFile } from './platform-file';

/** The rows that a statement returns from the database of a service, or of the vendor simulator. */
export async function rowsOf<T extends pg.QueryResultRow>(
  owner: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { databases } = readPlatformFile();
  const url = new URL(databases[owner] ?? databases['orders-saga'] ?? '');
  if (owner === 'vendor-simulator') url.pathname = '/vendor_simulator';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
