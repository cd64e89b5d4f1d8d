import { isIP } from 'node:net';
import { z } from 'zod';

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

function isProxy(text: string): boolean {
  if (PROXY_GROUPS.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** TRUST_PROXY: the proxies whose X-Forwarded-For is believed. */
export const trustedProxies = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isProxy))
  .describe('addresses or CIDRs of proxies, comma separated, or loopback, linklocal, uniquelocal');
