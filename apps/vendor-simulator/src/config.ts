import { baseConfig, databaseConfig, envInteger, envPort, requireDirectUrls } from '@reseller/service-kit';
import { z } from 'zod';

/** What the simulator reads from its environment. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    DATABASE_POOL_SIZE: envInteger({ min: 1, max: 100, unit: 'connections' }).default(5),
    VENDOR_HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
    VENDOR_PORT: envPort().default(0),
    VENDOR_API_KEY: z.string().min(16).describe('the API key that callers must send, at least 16 characters'),
    VENDOR_CALLBACK_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('the address that callbacks are posted to'),
    VENDOR_CALLBACK_SECRET: z
      .string()
      .min(16)
      .optional()
      .describe('the secret that callbacks are signed with, at least 16 characters'),
    VENDOR_JOURNAL_RETENTION_MS: envInteger({ min: 1, max: 315_360_000_000, unit: 'milliseconds' }).default(
      7_776_000_000,
    ),
    VENDOR_CALLBACK_AFTER_MS: envInteger({ min: 0, max: 60_000, unit: 'milliseconds' }).default(500),
  })
  .superRefine(requireDirectUrls)
  .refine(({ VENDOR_CALLBACK_URL: url, VENDOR_CALLBACK_SECRET: secret }) => !url || secret, {
    path: ['VENDOR_CALLBACK_SECRET'],
    error: 'VENDOR_CALLBACK_SECRET is missing: expected with VENDOR_CALLBACK_URL',
  });

/** The simulator's validated settings. */
export type Config = z.infer<typeof configSchema>;
