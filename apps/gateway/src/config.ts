import { edgeConfig, trustedProxies } from '@reseller/http-edge';
import { z } from 'zod';
import { baseConfig, envAddress, envInteger, envPort } from '@reseller/service-kit';

// What the client would refuse later must be refused here, by its name.
function isRedisUrl(text: string): boolean {
  const url = URL.parse(text);
  try {
    decodeURIComponent(`${url?.username}${url?.password}`);
  } catch {
    return false;
  }
  return url !== null && /^rediss?:\/\/\S+$/.test(text) && /^(\/\d*)?$/.test(url.pathname);
}

const redisUrl = z
  .string()
  .refine(isRedisUrl)
  .describe('redis://[user:password@]host:port[/database], or rediss:// for TLS');

const permits = envInteger({ min: 1, max: 1_000_000_000, unit: 'requests a minute' });

/** Everything the gateway reads from its environment; README.md says what each is for. */
export const config = z
  .object({
    ...baseConfig,
    ...edgeConfig,
    GATEWAY_HOST: z.string().min(1).default('127.0.0.1'),
    GATEWAY_PORT: envPort().default(8080),
    IDENTITY_ADDRESS: envAddress(),
    FINANCE_ADDRESS: envAddress(),
    ORDERS_SAGA_ADDRESS: envAddress(),
    SCENT_COMMERCE_ADDRESS: envAddress(),
    NOTIFIER_ADDRESS: envAddress(),
    TOKEN_ISSUER: z
      .string()
      .regex(/^\S{1,200}$/)
      .describe('the iss claim of the tokens that identity signs, as its TOKEN_ISSUER says it'),
    JWKS_MAX_AGE_MS: envInteger({ min: 300_000, max: 86_400_000, unit: 'ms' }).default(900_000),
    REDIS_URL: redisUrl.optional(),
    REDIS_CA_FILE: z
      .string()
      .min(1)
      .describe('the path of a PEM file with the certificates to trust, for a rediss:// URL')
      .optional(),
    RATE_LIMIT_TOKEN: permits.default(10),
    RATE_LIMIT_DEFAULT: permits.default(300),
    ADMISSION_MAX_CONCURRENT: envInteger({ min: 1, max: 100_000, unit: 'requests' }).default(4_096),
    ADMISSION_MAX_WAITING: envInteger({ min: 0, max: 100_000, unit: 'requests' }).default(1_024),
    ADMISSION_TARGET_MS: envInteger({ min: 1, max: 10_000, unit: 'ms' }).default(30),
    DOCS_SITE_DIR: z
      .string()
      .min(1)
      .describe('the path of a documentation site that `npm run docs` built')
      .optional(),
    TRUST_PROXY: trustedProxies.optional(),
    ACCESS_LOG: z.enum(['all', 'faults', 'off']).default('faults'),
  })
  .superRefine(({ REDIS_URL, REDIS_CA_FILE }, context) => {
    if (REDIS_CA_FILE && !REDIS_URL?.startsWith('rediss:'))
      context.addIssue({ code: 'custom', path: ['REDIS_CA_FILE'], message: '' });
  });

/** The gateway's validated settings. */
export type Config = z.infer<typeof config>;
