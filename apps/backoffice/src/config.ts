import { edgeConfig } from '@reseller/http-edge';
import { baseConfig, envAddress, envPort } from '@reseller/service-kit';
import { z } from 'zod';

/** An operator's name as the audit shows it. */
const ENTRY = /^([A-Za-z0-9._@-]{1,100})=(\S{16,})$/;

/** Reads name=token,name2=token2; undefined when any entry is unfit or a name or token comes twice. */
function readOperators(text: string): Map<string, string> | undefined {
  const byToken = new Map<string, string>();
  for (const entry of text.split(',')) {
    const [, name, token] = ENTRY.exec(entry.trim()) ?? [];
    if (!name || !token || byToken.has(token) || [...byToken.values()].includes(name)) return undefined;
    byToken.set(token, name);
  }
  return byToken;
}

const operatorTokens = z
  .string()
  .refine((text) => readOperators(text) !== undefined)
  .transform((text) => readOperators(text) ?? new Map<string, string>())
  .describe('name=token,name2=token2 with tokens of at least 16 characters, each name and token once');

/** Everything backoffice reads from its environment; README.md says what each is for. */
export const config = z.object({
  ...baseConfig,
  ...edgeConfig,
  BACKOFFICE_HOST: z.string().min(1).default('127.0.0.1'),
  BACKOFFICE_PORT: envPort().default(8090),
  OPERATOR_TOKENS: operatorTokens,
  IDENTITY_ADDRESS: envAddress(),
  FINANCE_ADDRESS: envAddress(),
  ORDERS_SAGA_ADDRESS: envAddress(),
  SCENT_COMMERCE_ADDRESS: envAddress(),
  NOTIFIER_ADDRESS: envAddress(),
  ACCESS_LOG: z.enum(['all', 'faults', 'off']).default('faults'),
});

/** The validated settings. */
export type Config = z.infer<typeof config>;
