import type { Client } from 'pg';

/** Whether the database has this table. */
export async function hasTable(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [
    table,
  ]);
  return rows[0]?.found != null;
}
