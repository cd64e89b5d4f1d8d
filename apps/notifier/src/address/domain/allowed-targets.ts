import type ipaddr from 'ipaddr.js';
import { isWithin, parseAddress } from './public-address';

/** What localhost stands for, as a target and in the list of those allowed (spec §10.2). */
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.1', '::1'];

/** One entry of WEBHOOK_ALLOWED_PRIVATE_TARGETS. */
export type AllowedTarget =
  | { kind: 'range'; range: [ipaddr.IPv4 | ipaddr.IPv6, number] }
  | { kind: 'address'; address: string; port: number }
  /** Stands for what the name resolves to at the moment. */
  | { kind: 'name'; name: string; port: number };

const NAME = /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,62})(\.[a-z\d_]([a-z\d_-]{0,62}))*$/i;

/** Reads the comma-separated list; undefined when an entry is neither a CIDR (or a bare address) nor host:port. */
export function parseAllowedTargets(text: string): AllowedTarget[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const targets = entries.map(parseEntry);
  return targets.every((target) => target !== undefined) ? targets.flat() : undefined;
}

function parseEntry(entry: string): AllowedTarget[] | undefined {
  const range = parseRange(entry);
  if (range) return [{ kind: 'range', range }];
  const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  if (host.toLowerCase() === 'localhost')
    return LOOPBACK_ADDRESSES.map((address) => ({ kind: 'address', address, port }));
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'));
  if (address) return [{ kind: 'address', address: address.toString(), port }];
  return NAME.test(host) && !/^[\d.]+$/.test(host)
    ? [{ kind: 'name', name: host.toLowerCase(), port }]
    : undefined;
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [text = '', digits, ...rest] = entry.split('/');
  const address = parseAddress(text);
  if (!address || rest.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (digits === undefined) return [address, width];
  const bits = /^\d{1,3}$/.test(digits) ? Number(digits) : Infinity;
  return bits <= width ? [address, bits] : undefined;
}

/** Whether an address and port is one of the targets by its numbers alone; names are for the caller to resolve. */
export function isAllowedTarget(targets: readonly AllowedTarget[], text: string, port: number): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  const spelt = address.toString();
  return targets.some((target) => {
    if (target.kind === 'range') return isWithin(address, target.range);
    return target.kind === 'address' && target.port === port && target.address === spelt;
  });
}
