import { approvalConfig } from '@reseller/approvals';
import { reconcileConfig } from '@reseller/database';
import { deadLettersConfig, inboxConfig, outboxConfig } from '@reseller/messaging';
import {
  baseConfig,
  envAddress,
  databaseConfig,
  eventBusConfig,
  envInteger,
  replicaConfig,
  requireDirectUrls,
} from '@reseller/service-kit';
import { z } from 'zod';
import { CRASH_POINTS } from './crash-points';

const HOUR_MS = 3_600_000;
const CRASH_POINT_EXPECTED = `nothing when NODE_ENV=production, else one of ${CRASH_POINTS.join(', ')}`;

function isMailUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

/** What finance reads from its environment; the README lists defaults and units. */
export const config = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    ...replicaConfig,
    DATABASE_POOL_SIZE: envInteger({ min: 3, max: 64, unit: 'connections' }).default(6),
    REPORT_POOL_SIZE: envInteger({ min: 1, max: 16, unit: 'connections' }).default(2),
    ...eventBusConfig,
    ...deadLettersConfig,
    IDENTITY_ADDRESS: envAddress(),
    PLATFORM_TAX_REGISTRATION_NUMBER: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,32}$/)
      .describe('1 to 32 letters, digits and dashes')
      .optional(),
    ...approvalConfig,
    ...reconcileConfig,
    ...outboxConfig,
    ...inboxConfig,
    RESERVATION_TTL_MS: envInteger({ min: 1, max: 86_400_000, unit: 'milliseconds' }).default(900_000),
    STATEMENT_SCHEDULE: z.enum(['on', 'off']).describe('on or off').optional(),
    SMTP_URL: z
      .string()
      .refine(isMailUrl)
      .describe('smtp://user:password@host:port, or smtps:// for TLS from the start')
      .optional(),
    SMTP_FROM: z
      .string()
      .regex(/@/)
      .describe('the address that statements are sent from')
      .default('statements@partner-reseller.invalid'),
    STATEMENT_EMAIL_RETRY_MS: envInteger({ min: 1, max: HOUR_MS, unit: 'milliseconds' }).default(60_000),
    CRASH_POINT: z.enum(CRASH_POINTS).optional().describe(CRASH_POINT_EXPECTED),
  })
  .superRefine(requireDirectUrls)
  .refine(({ NODE_ENV, CRASH_POINT }) => !CRASH_POINT || NODE_ENV !== 'production', {
    path: ['CRASH_POINT'],
  });

/** The validated settings. */
export type Config = z.infer<typeof config>;
