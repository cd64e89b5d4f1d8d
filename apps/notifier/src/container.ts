import { createPool, query } from '@reseller/database';
import type { ServiceParts, StartInput } from '@reseller/service-kit';
import type { Config } from './config';

/** Everything the running service consists of. */
export async function createContainer({ config, log, metrics }: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: 'notifier', log, metrics });
  const database = async (): Promise<void> => {
    await query(pool, { name: 'ready', text: 'SELECT 1' });
  };
  await database();
  return {
    // No RPCs of its own yet: the gRPC health protocol alone is served, for whoever watches the service.
    rpc: [],
    ready: { database },
    close: () => pool.end(),
  };
}
