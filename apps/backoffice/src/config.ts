import { edgeConfig, trustedProxies } from '@reseller/http-edge';
import { baseConfig, envAddress, envInteger, envPort } from '@reseller/service-kit';
import { z } from 'zod';

/** https anywhere; http on this machine, and not in production. */
const EXPECTED_URL = 'an https URL, or an http one of this machine when NODE_ENV is not production';
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');

const webUrl = (isFit: (url: URL) => boolean) =>
  z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && (url.protocol === 'https:' || isPlainLoopback(url)) && isFit(url);
    })
    .describe(EXPECTED_URL);

const isPlainLoopback = (url: URL): boolean => url.protocol === 'http:' && isLoopback(url);

/** Everything backoffice reads from its environment; README.md says what each is for. */
export const config = z
  .object({
    ...baseConfig,
    ...edgeConfig,
    BACKOFFICE_HOST: z.string().min(1).default('127.0.0.1'),
    BACKOFFICE_PORT: envPort().default(8090),
    BACKOFFICE_URL: webUrl((url) => url.href === `${url.origin}/`)
      .transform((text) => new URL(text).origin)
      .describe('the origin that operators use, for example https://backoffice.example.com')
      .optional(),
    OIDC_ISSUER: webUrl(({ search, hash }) => search === '' && hash === '').optional(),
    OIDC_CLIENT_ID: z.string().min(1).describe('given with OIDC_ISSUER').optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).describe('given with OIDC_ISSUER').optional(),
    OIDC_ROLES_CLAIM: z.string().min(1).default('roles'),
    IDENTITY_ADDRESS: envAddress(),
    FINANCE_ADDRESS: envAddress(),
    ORDERS_SAGA_ADDRESS: envAddress(),
    SCENT_COMMERCE_ADDRESS: envAddress(),
    NOTIFIER_ADDRESS: envAddress(),
    REPLICA_STALENESS_MS: envInteger({ min: 0, max: 60_000, unit: 'milliseconds' }).default(0),
    TRUST_PROXY: trustedProxies.optional(),
    ACCESS_LOG: z.enum(['all', 'faults', 'off']).default('faults'),
  })
  .superRefine((settings, context) => {
    const complain = (name: keyof typeof settings): void =>
      context.addIssue({ code: 'custom', path: [name], message: '' });
    if (settings.OIDC_CLIENT_ID && !settings.OIDC_ISSUER) complain('OIDC_ISSUER');
    if (settings.OIDC_ISSUER)
      for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
        if (!settings[name]) complain(name);
    if (settings.NODE_ENV !== 'production') return;
    for (const name of ['OIDC_ISSUER', 'BACKOFFICE_URL'] as const)
      if (settings[name]?.startsWith('http:')) complain(name);
    if (settings.OIDC_ISSUER && !settings.BACKOFFICE_URL) complain('BACKOFFICE_URL');
  });

/** The validated settings. */
export type Config = z.infer<typeof config>;
