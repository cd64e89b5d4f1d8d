import { BlockList, isIP } from 'node:net';
import { readCidr } from '@reseller/errors';

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
