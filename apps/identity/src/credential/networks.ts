import { BlockList, isIP } from 'node:net';

interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Whether a text is a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32. */
export const isCidr = (text: string): boolean => readCidr(text) !== undefined;

/** Whether an address is in one of the networks; an IPv4 address also where it is spelt as IPv6. Without networks any is. */
export function isWithin(cidrs: readonly string[], address: string | undefined): boolean {
  if (cidrs.length === 0) return true;
  const version = isIP(address ?? '');
  if (address === undefined || version === 0) return false;
  const networks = new BlockList();
  for (const network of cidrs.map(readCidr))
    if (network) networks.addSubnet(network.address, network.prefix, network.family);
  return networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function readCidr(text: string): Network | undefined {
  const [, address = '', bits] = /^([0-9A-Fa-f.:]{1,45})\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  const prefix = Number(bits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
