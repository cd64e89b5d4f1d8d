import { LRUCache } from 'lru-cache';
import { isAllowedTarget, LOOPBACK_ADDRESSES, type AllowedTarget } from './domain/allowed-targets';
import { isPublicAddress } from './domain/public-address';
import { isLocalhost, parseWebhookUrl, type WebhookUrl } from './domain/webhook-url';
import type { HostResolver } from './host-resolver';

/** What a url may be connected to at this moment. */
export type TargetCheck =
  | {
      outcome: 'allowed';
      /** Scheme, host and port. */
      origin: string;
      /** Path and query. */
      path: string;
      /** For TLS and logs: lower case, without brackets and without the root's dot. */
      host: string;
      port: number;
      /** At least one, each of them checked; connect to these and look nothing up again. */
      addresses: readonly string[];
    }
  /** The url itself is unfit, or an address was found that is not to be connected to. */
  | { outcome: 'rejected' }
  /** No address was found: no such name, a failing name server, or 3 seconds gone. */
  | { outcome: 'unresolvable' };

/** Decides about urls; made once with the service's settings. */
export interface TargetPolicy {
  resolver: HostResolver;
  /** WEBHOOK_ALLOWED_PRIVATE_TARGETS; empty in production. */
  allowed: readonly AllowedTarget[];
}

// A url's spelling says the same each time it is read; what its name resolves to is looked up every time.
const urls = new LRUCache<string, { read: WebhookUrl | undefined }>({
  max: 4_096,
  memoMethod: (text) => ({ read: parseWebhookUrl(text) }),
});

/**
 * Checks a url by spec §10.2, at creation and again before every attempt: its spelling, then every address it has
 * now, one bad one rejecting all. Takes at most 3 seconds; never rejects.
 */
export async function checkTarget(text: string, policy: TargetPolicy): Promise<TargetCheck> {
  const target = urls.memo(text).read;
  // Plain http is for allowed targets only; without any there is nothing to look up.
  if (!target || (!target.isHttps && policy.allowed.length === 0)) return { outcome: 'rejected' };
  if (isLocalhost(target.host)) return checkLoopback(target, policy);
  const found = target.isAddress ? [target.host] : await policy.resolver.resolve(target.host);
  if (found.length === 0) return { outcome: 'unresolvable' };
  if (found.every((address) => isFitByNumbers(address, target, policy))) return allowed(target, found);
  const isFit = await Promise.all(found.map((address) => isFitAddress(address, target, policy)));
  return isFit.every(Boolean) ? allowed(target, found) : { outcome: 'rejected' };
}

/** Loopback by name: only those of its addresses that are allowed, which need not be both. */
async function checkLoopback(target: WebhookUrl, policy: TargetPolicy): Promise<TargetCheck> {
  const isFit = await Promise.all(LOOPBACK_ADDRESSES.map((address) => isAllowed(address, target, policy)));
  const addresses = LOOPBACK_ADDRESSES.filter((_, at) => isFit[at]);
  return addresses.length > 0 ? allowed(target, addresses) : { outcome: 'rejected' };
}

const allowed = ({ origin, path, host, port }: WebhookUrl, addresses: readonly string[]): TargetCheck => ({
  outcome: 'allowed',
  origin,
  path,
  host,
  port,
  addresses,
});

async function isFitAddress(address: string, target: WebhookUrl, policy: TargetPolicy): Promise<boolean> {
  return (target.isHttps && isPublicAddress(address)) || isAllowed(address, target, policy);
}

/** Whether it is fit whatever the allowed names resolve to. */
function isFitByNumbers(address: string, target: WebhookUrl, policy: TargetPolicy): boolean {
  return (
    (target.isHttps && isPublicAddress(address)) || isAllowedTarget(policy.allowed, address, target.port)
  );
}

async function isAllowed(address: string, target: WebhookUrl, policy: TargetPolicy): Promise<boolean> {
  if (isAllowedTarget(policy.allowed, address, target.port)) return true;
  const names = policy.allowed.flatMap((entry) =>
    entry.kind === 'name' && entry.port === target.port ? [entry.name] : [],
  );
  if (names.includes(target.host)) return true;
  const resolved = await Promise.all(names.map((name) => policy.resolver.resolve(name)));
  return resolved.flat().includes(address);
}
