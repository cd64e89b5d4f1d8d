import { reconcileConfig } from '@reseller/database';
import { deadLettersConfig, inboxConfig, outboxConfig } from '@reseller/messaging';
import {
  baseConfig,
  envAddress,
  databaseConfig,
  eventBusConfig,
  envInteger,
  requireDirectUrls,
} from '@reseller/service-kit';
import { z } from 'zod';

const commissionRate = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/)
  .describe('a fraction from 0 to 1 with at most six decimals, for example 0.10');
const DAY_MS = 86_400_000;
const duration = envInteger({ min: 1, max: 315_360_000_000, unit: 'milliseconds' });

/** What scent-commerce reads from its environment; the README lists defaults and units. */
export const config = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    DATABASE_POOL_SIZE: envInteger({ min: 3, max: 200, unit: 'connections' }).default(10),
    ...eventBusConfig,
    ...deadLettersConfig,
    FINANCE_ADDRESS: envAddress(),
    ...reconcileConfig,
    ...outboxConfig,
    ...inboxConfig,
    DEFAULT_COMMISSION_RATE: commissionRate.default('0.10'),
    PRICE_LOCK_TTL_MS: duration.default(900_000),
    CART_IDLE_MS: duration.default(2_592_000_000),
    CART_UNUSED_MS: duration.default(3_600_000),
    CART_RETENTION_MS: duration.default(90 * DAY_MS),
    PRICE_LOCK_RETENTION_MS: duration.default(30 * DAY_MS),
    PRICE_CHANGE_RETENTION_MS: duration.default(400 * DAY_MS),
    REGISTRATION_RETENTION_MS: duration.default(400 * DAY_MS),
  })
  .superRefine(requireDirectUrls);

/** The validated settings. */
export type Config = z.infer<typeof config>;
