import pg from 'pg';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import type { Cluster } from '../failover/cluster';
import type { PlatformDescription } from '../platform/platform-file';

const READS = 100;

/** Rows that a node has read for its clients. */
async function rowsRead(cluster: Cluster, name: string): Promise<number> {
  const client = new pg.Client({ connectionString: cluster.urlOf(name) });
  await client.connect();
  try {
    // What sessions counted is in the view a second later at most.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ n: string }>(
      'SELECT sum(tup_returned + tup_fetched) AS n FROM pg_stat_database',
    );
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

/** Rows that the primary and the standby read for an overview and a list, by programs that accept older ones or do not. */
export async function compareShares(cluster: Cluster, platform: PlatformDescription): Promise<string[]> {
  const operator = new OperatorClient(platform);
  const nodes = [await cluster.primary(), await cluster.standby()];
  const hour = 3_600_000;
  const span = `from=${new Date(Date.now() - hour).toISOString()}&to=${new Date().toISOString()}`;
  const paths = [`/overview?environment=live&${span}`, '/orders?pageSize=100', '/search?q=Test'];
  const costOf = async (headers: Record<string, string>): Promise<number[]> => {
    const settled = () => new Promise((resolve) => setTimeout(resolve, 1_500));
    await settled();
    const before = await Promise.all(nodes.map((name) => rowsRead(cluster, name)));
    for (let n = 0; n < READS; n += 1) await operator.call(paths[n % paths.length] ?? '', { headers });
    await settled();
    const after = await Promise.all(nodes.map((name) => rowsRead(cluster, name)));
    return after.map((count, at) => Math.round((count - (before[at] ?? 0)) / READS));
  };
  const [without = 0, standbyWithout = 0] = await costOf({});
  const [withIt = 0, standbyWith = 0] = await costOf({ 'cache-control': 'max-stale' });
  say(
    `  rows read for a list or an overview: ${without} by the primary and ${standbyWithout} by the standby without it, ` +
      `${withIt} and ${standbyWith} with it`,
  );
  return withIt < without && standbyWith > standbyWithout ? [] : ['the standby took nothing off the primary'];
}
