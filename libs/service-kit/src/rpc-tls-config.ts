import { isPeerNameTemplate } from '@reseller/rpc';
import { z } from 'zod';

const CALLERS = /^(?:[\w.]+\.\w+Service|\*)=[a-z0-9-]+(?:\|[a-z0-9-]+)*$/;

function readCallers(text: string): Map<string, string[]> {
  const entries = text.split(',').map((entry) => entry.trim().split('='));
  return new Map(entries.map(([service = '', apps = '']) => [service, apps.split('|')]));
}

/** Settings of mutual TLS between services; the three files go together. */
export const rpcTlsConfig = {
  GRPC_TLS_CERT_FILE: z.string().min(1).optional(),
  GRPC_TLS_KEY_FILE: z.string().min(1).optional(),
  GRPC_TLS_CA_FILE: z.string().min(1).optional(),
  GRPC_TLS_PEER_NAME: z
    .string()
    .refine(isPeerNameTemplate)
    .describe('a DNS name or URI with {service} in it once')
    .default('{service}'),
  GRPC_TLS_ALLOWED_CLIENTS: z
    .string()
    .refine((text) => text.split(',').every((entry) => CALLERS.test(entry.trim())))
    .transform(readCallers)
    .describe('package.XService=app|app2, comma separated, or *=app for every service')
    .optional(),
};
