import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
// A cloud's metadata service on a public address.
const METADATA = new Set(['168.63.129.16']);

/** An IP address in its usual spelling, without a zone; undefined for anything else. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.IPv6.parse(text);
}

/**
 * Whether an address is global unicast and nothing else: not private, loopback, link-local, shared, benchmark,
 * documentation, multicast, reserved or a metadata service, and no IPv6 around an IPv4, whichever (spec §10.2).
 * Text that is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  return address instanceof ipaddr.IPv4 ? isPublicIPv4(address) : isPublicIPv6(address);
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !METADATA.has(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  // First of all: the library calls ::7f00:1 and 4000::1 unicast. Mapped, compatible and NAT64 forms end here too;
  // 6to4 and Teredo are ranges that the library knows.
  if (!isWithin(address, GLOBAL_UNICAST)) return false;
  return address.range() === 'unicast' && !isIsatap(address);
}

/** ISATAP puts an IPv4 into the interface id of any prefix, behind 0000:5efe or 0200:5efe. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

/** Whether an address lies in a range; one of the other family never does. */
export function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
