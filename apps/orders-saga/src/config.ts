import { approvalConfig } from '@reseller/approvals';
import { archiveConfig } from '@reseller/archive';
import { reconcileConfig } from '@reseller/database';
import { inboxConfig, outboxConfig } from '@reseller/messaging';
import {
  baseConfig,
  envAddress,
  databaseConfig,
  eventBusConfig,
  envHashKeys,
  envInteger,
  envPort,
  mayBePlaintext,
  replicaConfig,
  requireDirectUrls,
} from '@reseller/service-kit';
import { z } from 'zod';
import { CRASH_POINTS } from './crash-points';
import { PRODUCTS } from './products';

const VENDOR_PRODUCTS = PRODUCTS.filter(({ vendor }) => vendor).map(({ name }) => name);

const vendorShape = z.strictObject({
  name: z.string().min(1).max(64),
  url: z.url({ protocol: /^https?$/ }),
  // It goes into a header, where a line break that was pasted with it would fail every call.
  apiKey: z.string().regex(/^[!-~](?:[ -~]*[!-~])?$/),
  callbackSecret: z.string().min(16).optional(),
  products: z.array(z.enum([...VENDOR_PRODUCTS, '*'])).min(1),
  geoScopes: z.array(z.string().min(1)).min(1),
  priority: z.int().min(0),
  concurrency: z.int().min(1).max(1_000).optional(),
});

const VENDORS_EXPECTED =
  'a JSON array of { "name", "url", "apiKey", "products": ["Topup"], "geoScopes": ["*"], "priority": 1 } with distinct names, keys on one line of ASCII, and https URLs in production unless PLAINTEXT_ALLOWED names vendors; "callbackSecret" of at least 16 characters if it calls back, "concurrency" from 1 if not VENDOR_CONCURRENCY';

const CRASH_POINT_EXPECTED = `nothing when NODE_ENV=production, else one of ${CRASH_POINTS.join(', ')}`;

const milliseconds = (max: number): z.ZodType<number, string> =>
  envInteger({ min: 1, max, unit: 'milliseconds' });
const DAY_MS = 86_400_000;

/** The settings of orders-saga; the README lists them with their units. */
export const config = z
  .object({
    ...baseConfig,
    ...databaseConfig,
    ...replicaConfig,
    ...eventBusConfig,
    FINANCE_ADDRESS: envAddress(),
    SCENT_COMMERCE_ADDRESS: envAddress(),
    DATABASE_POOL_SIZE: envInteger({ min: 2, max: 200 }).default(16),
    VENDORS: z.string().transform(parseVendors).describe(VENDORS_EXPECTED).default([]),
    SAGA_LEASE_MS: milliseconds(DAY_MS).default(15_000),
    OWNER_LOOK_MS: milliseconds(60_000).default(300),
    OWNER_GRACE_MS: milliseconds(DAY_MS).default(1_000),
    SAGA_PARK_AFTER_MS: milliseconds(30 * DAY_MS).default(90_000),
    SAGA_BUDGET_MS: milliseconds(60_000).default(10_000),
    DUPLICATE_WAIT_MS: milliseconds(60_000).default(3_000),
    DECISION_WAIT_MS: milliseconds(60_000).default(5_000),
    RECOVERY_INTERVAL_MS: milliseconds(60_000).default(250),
    RECOVERY_BATCH: envInteger({ min: 1, max: 1_000 }).default(20),
    VENDOR_CONCURRENCY: envInteger({ min: 1, max: 1_000 }).default(20),
    ...approvalConfig,
    ...archiveConfig,
    ...reconcileConfig,
    ...outboxConfig,
    ...inboxConfig,
    ERASURE_HASH_KEY: envHashKeys().optional(),
    ERASURE_RECHECK_MS: milliseconds(DAY_MS).default(60_000),
    SAGA_JOURNAL_RETENTION_MS: milliseconds(3_650 * DAY_MS).default(400 * DAY_MS),
    CREATE_RESULTS_RETENTION_MS: milliseconds(3_650 * DAY_MS).default(90 * DAY_MS),
    VENDOR_JOURNAL_RETENTION_MS: milliseconds(3_650 * DAY_MS).default(90 * DAY_MS),
    TOTALS_INTERVAL_MS: milliseconds(60_000).default(2_000),
    TASK_LEASE_MS: milliseconds(DAY_MS).default(15_000),
    RETURN_WINDOW_MS: milliseconds(365 * DAY_MS).default(14 * DAY_MS),
    SHOP_DEADLINE_MS: milliseconds(60_000).default(2_500),
    PLATFORM_TAX_REGISTRATION_NUMBER: z.string().min(1).max(64).optional(),
    FINANCE_DEADLINE_MS: milliseconds(60_000).default(2_500),
    FUNDS_CHECK_AFTER_MS: milliseconds(60_000).default(500),
    VENDOR_CALLBACK_PORT: envPort().optional(),
    VENDOR_CALLBACK_HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
    VENDOR_TIMEOUT_MS: milliseconds(60_000).default(8_000),
    VENDOR_CONNECT_TIMEOUT_MS: milliseconds(60_000).default(2_000),
    VENDOR_BREAKER_FAULTS: envInteger({ min: 1, max: 1_000 }).default(10),
    VENDOR_BREAKER_OPEN_MS: milliseconds(DAY_MS).default(1_000),
    VENDOR_RETRY_BASE_MS: milliseconds(60_000).default(500),
    VENDOR_POLL_BASE_MS: milliseconds(DAY_MS).default(2_000),
    VENDOR_POLL_CAP_MS: milliseconds(DAY_MS).default(300_000),
    VENDOR_UNKNOWN_AFTER_MS: milliseconds(30 * DAY_MS).default(DAY_MS),
    CRASH_POINT: z.enum(CRASH_POINTS).optional().describe(CRASH_POINT_EXPECTED),
    CRASH_POINT_FILE: z.string().min(1).optional().describe('nothing when NODE_ENV=production'),
  })
  .superRefine(requireDirectUrls)
  .refine(
    (settings) =>
      mayBePlaintext(settings, 'vendors') || settings.VENDORS.every(({ url }) => url.startsWith('https:')),
    { path: ['VENDORS'] },
  )
  .refine(({ NODE_ENV, CRASH_POINT }) => !CRASH_POINT || NODE_ENV !== 'production', {
    path: ['CRASH_POINT'],
  })
  .refine(({ NODE_ENV, CRASH_POINT_FILE }) => !CRASH_POINT_FILE || NODE_ENV !== 'production', {
    path: ['CRASH_POINT_FILE'],
  });

/** The validated settings of orders-saga. */
export type Config = z.infer<typeof config>;

function parseVendors(text: string, context: z.core.$RefinementCtx<string>): z.infer<typeof vendorShape>[] {
  const parsed = z.array(vendorShape).safeParse(parseJson(text));
  const names = parsed.data?.map(({ name }) => name) ?? [];
  if (parsed.success && new Set(names).size === names.length && !names.includes('simulator'))
    return parsed.data;
  context.addIssue({ code: 'custom', message: VENDORS_EXPECTED });
  return z.NEVER;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
