import { baseConfig, envAddress, envDatabaseUrl, envInteger } from '@reseller/service-kit';
import { z } from 'zod';

/** What scent-commerce reads from its environment; the README lists defaults and units. */
export const config = z.object({
  ...baseConfig,
  DATABASE_URL: envDatabaseUrl(),
  DATABASE_POOL_SIZE: envInteger({ min: 3, max: 200, unit: 'connections' }).default(10),
  EVENT_BUS_URL: envDatabaseUrl(),
  FINANCE_ADDRESS: envAddress(),
});

/** The validated settings. */
export type Config = z.infer<typeof config>;
