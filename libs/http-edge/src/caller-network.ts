import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/**
 * Whom a request is counted as: an IPv4 address, also where it is spelt as IPv6, or the /64 that an IPv6 caller has to itself
 * (spec §14.3). What is no address is `unknown`, so that a key made of it is short whatever a proxy hands on.
 */
export function callerNetwork(address: string | undefined): string {
  const parsed = parse(address);
  if (!parsed) return 'unknown';
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Whether an address is this machine's own. */
export const isLoopback = (address: string | undefined): boolean => parse(address)?.range() === 'loopback';

const parse = (address = ''): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(address) === 0 ? undefined : ipaddr.process(address);
