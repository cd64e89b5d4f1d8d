import { baseConfig, envDatabaseUrl, envInteger } from '@reseller/service-kit';
import { z } from 'zod';

/** What notifier reads from its environment; the README lists defaults and units. */
export const config = z.object({
  ...baseConfig,
  DATABASE_URL: envDatabaseUrl(),
  DATABASE_POOL_SIZE: envInteger({ min: 2, max: 200 }).default(10),
});

/** The validated settings. */
export type Config = z.infer<typeof config>;
