import { archiveConfig } from '@reseller/archive';
import { deadLettersConfig } from '@reseller/messaging';
import {
  baseConfig,
  databaseConfig,
  envInteger,
  envSealingKeys,
  eventBusConfig,
  replicaConfig,
  requireDirectUrls,
} from '@reseller/service-kit';
import { z } from 'zod';
import { parseAllowedTargets, type AllowedTarget } from './address/domain/allowed-targets';

const ALLOWED_TARGETS_EXPECTED =
  'nothing when NODE_ENV=production, else CIDRs or host:port, comma separated, for example 127.0.0.1:9000';

/** What notifier reads from its environment; the README lists defaults and units. Secrets have no defaults. */
export const config = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    ...replicaConfig,
    DATABASE_POOL_SIZE: envInteger({ min: 2, max: 200 }).default(10),
    ...eventBusConfig,
    ...deadLettersConfig,
    ...archiveConfig,
    WEBHOOK_SECRET_KEYS: envSealingKeys(),
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: z
      .string()
      .transform((text, context): AllowedTarget[] => parseAllowedTargets(text) ?? refuse(context))
      .describe(ALLOWED_TARGETS_EXPECTED)
      .default([]),
    WEBHOOK_RETRY_BASE_MS: envInteger({ min: 1, max: 86_400_000, unit: 'milliseconds' }).default(30_000),
    WEBHOOK_RETRY_CAP_MS: envInteger({ min: 1, max: 86_400_000, unit: 'milliseconds' }).default(3_600_000),
    EVENT_RETENTION_MS: envInteger({ min: 1, max: 31_536_000_000, unit: 'milliseconds' }).default(
      2_592_000_000,
    ),
    WEBHOOK_MAX_IN_FLIGHT: envInteger({ min: 1, max: 10_000 }).default(1_000),
  })
  .superRefine(requireDirectUrls)
  // spec §10.2
  .refine(
    ({ NODE_ENV, WEBHOOK_ALLOWED_PRIVATE_TARGETS: targets }) =>
      NODE_ENV !== 'production' || targets.length === 0,
    { path: ['WEBHOOK_ALLOWED_PRIVATE_TARGETS'] },
  );

/** The validated settings. */
export type Config = z.infer<typeof config>;

function refuse(context: z.core.$RefinementCtx<string>): never {
  context.addIssue({ code: 'custom' });
  return z.NEVER;
}
