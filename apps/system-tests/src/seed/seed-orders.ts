import pg from 'pg';
import { seedStatement } from './seed-statement';

/** What to put into an orders database. */
export interface OrderSeed {
  /** The database of orders-saga. */
  readonly databaseUrl: string;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly environment: 'sandbox' | 'live';
  readonly count: number;
  /** Over how many days up to now the orders are spread. */
  readonly days: number;
  /** Hears how many there are so far. */
  readonly onProgress?: (made: number) => void;
}

const BATCH = 50_000;
const CONNECTIONS = 2;

/**
 * Adds settled orders to one partner's history, straight into the tables: for lists at size, not for money. No wallet, saga
 * or vendor knows of them, so take a platform whose data may be thrown away. Needs a superuser of the database, as the local
 * platform's is. Resolves with the seconds it took.
 */
export async function seedOrders(seed: OrderSeed): Promise<number> {
  const startedAt = performance.now();
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new pg.Client({ connectionString: seed.databaseUrl }),
  );
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const run = (Date.now() % 1_000_000_000).toString(36);
    let next = 0;
    let made = 0;
    await Promise.all(
      clients.map(async (client) => {
        // Settled from the start, which the triggers on orders refuse; what they count, the statement counts.
        await client.query('SET session_replication_role = replica');
        await client.query('SET synchronous_commit = off');
        while (next < seed.count) {
          const first = next;
          next = Math.min(next + BATCH, seed.count);
          const size = next - first;
          await client.query(seedStatement, [
            seed.partnerId,
            seed.partnerGlobalId,
            seed.environment,
            run,
            first,
            first + size,
            seed.count,
            seed.days,
          ]);
          made += size;
          seed.onProgress?.(made);
        }
      }),
    );
    // What autovacuum does in its own time where orders come one by one.
    await clients[0]!.query('VACUUM (ANALYZE) orders');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return (performance.now() - startedAt) / 1000;
}
