import pg from 'pg';

/** Works in one of the platform's databases with all rights, for what no API gives. */
export async function withSuperuser<T>(
  connectionString: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // Under way from the start, which the triggers on orders refuse.
    await client.query('SET session_replication_role = replica');
    await client.query('SET synchronous_commit = off');
    return await work(client);
  } finally {
    await client.end();
  }
}
