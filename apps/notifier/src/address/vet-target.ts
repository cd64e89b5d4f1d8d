import { isAllowedTarget, LOOPBACK_ADDRESSES, type AllowedTarget } from './domain/allowed-targets';
import { isPublicAddress } from './domain/public-address';
import { isLocalhost, parseWebhookUrl, type WebhookUrl } from './domain/webhook-url';
import type { HostResolver } from './host-resolver';

/** What a url may be connected to at this moment. */
export type Verdict =
  | {
      outcome: 'vetted';
      url: URL;
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
export interface TargetGuard {
  resolver: HostResolver;
  /** WEBHOOK_ALLOWED_PRIVATE_TARGETS; empty in production. */
  allowed: readonly AllowedTarget[];
}

/**
 * Checks a url by decisions §10.2, at creation and again before every attempt: its spelling, then every address it has
 * now, one bad one rejecting all. Takes at most 3 seconds; never rejects.
 */
export async function vetTarget(text: string, guard: TargetGuard): Promise<Verdict> {
  const target = parseWebhookUrl(text);
  // Plain http is for allowed targets only; without any there is nothing to look up.
  if (!target || (!target.isHttps && guard.allowed.length === 0)) return { outcome: 'rejected' };
  if (isLocalhost(target.host)) return vetLoopback(target, guard);
  const found = target.isAddress ? [target.host] : await guard.resolver.resolve(target.host);
  if (found.length === 0) return { outcome: 'unresolvable' };
  const isFit = await Promise.all(found.map((address) => isFitAddress(address, target, guard)));
  return isFit.every(Boolean) ? vetted(target, found) : { outcome: 'rejected' };
}

/** Loopback by name: only those of its addresses that are allowed, which need not be both. */
async function vetLoopback(target: WebhookUrl, guard: TargetGuard): Promise<Verdict> {
  const isFit = await Promise.all(LOOPBACK_ADDRESSES.map((address) => isAllowed(address, target, guard)));
  const addresses = LOOPBACK_ADDRESSES.filter((_, at) => isFit[at]);
  return addresses.length > 0 ? vetted(target, addresses) : { outcome: 'rejected' };
}

const vetted = ({ url, host, port }: WebhookUrl, addresses: readonly string[]): Verdict => ({
  outcome: 'vetted',
  url,
  host,
  port,
  addresses,
});

async function isFitAddress(address: string, target: WebhookUrl, guard: TargetGuard): Promise<boolean> {
  return (target.isHttps && isPublicAddress(address)) || isAllowed(address, target, guard);
}

async function isAllowed(address: string, target: WebhookUrl, guard: TargetGuard): Promise<boolean> {
  if (isAllowedTarget(guard.allowed, address, target.port)) return true;
  const names = guard.allowed.flatMap((entry) =>
    entry.kind === 'name' && entry.port === target.port ? [entry.name] : [],
  );
  if (names.includes(target.host)) return true;
  const resolved = await Promise.all(names.map((name) => guard.resolver.resolve(name)));
  return resolved.flat().includes(address);
}
