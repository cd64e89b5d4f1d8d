import pg from 'pg';

/** The deadlocks that PostgreSQL has counted in each service's database. */
export async function countDeadlocks(
  databases: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [service, connectionString] of Object.entries(databases)) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      );
      counts[service] = Number(rows[0]?.deadlocks);
    } finally {
      await client.end();
    }
  }
  return counts;
}
