import { baseConfig, envDatabaseUrl, envInteger, envPort } from '@reseller/service-kit';
import { z } from 'zod';

/** What the simulator reads from its environment. */
export const configSchema = z.object({
  ...baseConfig,
  DATABASE_URL: envDatabaseUrl(),
  DATABASE_POOL_SIZE: envInteger({ min: 1, max: 100, unit: 'connections' }).default(5),
  VENDOR_HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
  VENDOR_PORT: envPort().default(0),
  VENDOR_API_KEY: z.string().min(16).describe('the API key that callers must send, at least 16 characters'),
});

/** The simulator's validated settings. */
export type Config = z.infer<typeof configSchema>;
