import { outboxConfig } from '@reseller/messaging';
import {
  baseConfig,
  envBoolean,
  databaseConfig,
  envHashKeys,
  envInteger,
  envSealingKeys,
  eventBusConfig,
  replicaConfig,
  requireDirectUrls,
} from '@reseller/service-kit';
import { z } from 'zod';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What identity reads from its environment; the README lists defaults and units. Secrets have no defaults. */
export const config = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    ...replicaConfig,
    DATABASE_POOL_SIZE: envInteger({ min: 2, max: 200 }).default(10),
    ...eventBusConfig,
    ...outboxConfig,
    TOKEN_ISSUER: z
      .string()
      .regex(/^\S{1,200}$/)
      .describe(
        'the issuer every token names, the same as the gateway expects, for example https://api.example.com',
      ),
    CREDENTIAL_HASH_KEY: envHashKeys(),
    KEY_ENCRYPTION_KEY: envSealingKeys({ bare: true }),
    OPERATOR_SESSION_MS: envInteger({ min: 1_000, max: 7 * DAY_MS, unit: 'milliseconds' }).default(
      8 * HOUR_MS,
    ),
    LIVE_CREDENTIALS_NEED_CERTIFICATION: envBoolean().default(false),
    LOCAL_OPERATOR_TOKEN: z
      .string()
      .regex(/^op_[A-Za-z0-9_-]{43}$/)
      .describe('nothing when NODE_ENV=production, else op_ and 43 characters of base64url')
      .optional(),
    KEY_ROTATION_MS: envInteger({ min: HOUR_MS, max: 365 * DAY_MS, unit: 'milliseconds' }).default(
      30 * DAY_MS,
    ),
  })
  .superRefine(requireDirectUrls)
  .refine(({ NODE_ENV, LOCAL_OPERATOR_TOKEN }) => !LOCAL_OPERATOR_TOKEN || NODE_ENV !== 'production', {
    path: ['LOCAL_OPERATOR_TOKEN'],
  });

/** The validated settings. */
export type Config = z.infer<typeof config>;
