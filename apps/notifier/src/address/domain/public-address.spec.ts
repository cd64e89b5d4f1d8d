import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './public-address';

const PUBLIC: [string, string][] = [
  ['1.1.1.1', 'a public resolver'],
  ['8.8.8.8', 'a public resolver'],
  ['1.0.0.0', 'just above 0.0.0.0/8'],
  ['9.255.255.255', 'just below 10/8'],
  ['11.0.0.0', 'just above 10/8'],
  ['100.63.255.255', 'just below 100.64/10'],
  ['100.128.0.0', 'just above 100.64/10'],
  ['126.255.255.255', 'just below 127/8'],
  ['128.0.0.1', 'just above 127/8'],
  ['168.63.129.15', 'beside the metadata service'],
  ['168.63.129.17', 'beside the metadata service'],
  ['169.253.255.255', 'just below 169.254/16'],
  ['169.255.0.0', 'just above 169.254/16'],
  ['172.15.255.255', 'just below 172.16/12'],
  ['172.32.0.0', 'just above 172.16/12'],
  ['192.167.255.255', 'just below 192.168/16'],
  ['192.169.0.0', 'just above 192.168/16'],
  ['198.17.255.255', 'just below 198.18/15'],
  ['198.20.0.0', 'just above 198.18/15'],
  ['203.0.112.255', 'just below 203.0.113/24'],
  ['223.255.255.255', 'just below 224/4'],
  ['2000::1', 'the first global unicast'],
  ['2606:4700:4700::1111', 'a public resolver'],
  ['2a00:1450:4001:82b::200e', 'a public site'],
  ['2001:200::1', 'just above 2001::/23'],
  ['2001:4860:4860::8888', 'a public resolver'],
  ['2003::1', 'just above 6to4'],
  ['2606:4700::5efe', 'looks a little like ISATAP'],
  ['2606:4700::100:5efe:0:1', 'looks a little like ISATAP'],
];

const REFUSED: [string, string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'a cloud’s metadata'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'a cloud’s metadata on a public address'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata of tasks'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'a cloud’s metadata'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['198.18.0.1', 'benchmark'],
  ['198.19.255.255', 'benchmark'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.254', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::2', 'reserved'],
  ['::7f00:1', 'compatible with 127.0.0.1'],
  ['::127.0.0.1', 'compatible with 127.0.0.1'],
  ['::8.8.8.8', 'compatible, around a public one'],
  ['::ffff:127.0.0.1', 'mapped'],
  ['::ffff:7f00:1', 'mapped, in hexadecimal'],
  ['::ffff:8.8.8.8', 'mapped, around a public one'],
  ['::ffff:0:127.0.0.1', 'translated'],
  ['::ffff:0:808:808', 'translated, around a public one'],
  ['::5efe:7f00:1', 'ISATAP without a prefix'],
  ['64:ff9b::127.0.0.1', 'NAT64'],
  ['64:ff9b::8.8.8.8', 'NAT64, around a public one'],
  ['64:ff9b:1::7f00:1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
  ['2001:2::1', 'benchmark'],
  ['2001:3::1', 'relay of AMT'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:1ff::1', 'protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 around 127.0.0.1'],
  ['2002:808:808::1', '6to4, around a public one'],
  ['2606:4700::5efe:7f00:1', 'ISATAP'],
  ['2606:4700::5efe:808:808', 'ISATAP, around a public one'],
  ['2606:4700::200:5efe:10.0.0.1', 'ISATAP, globally unique'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not assigned'],
  ['5f00::1', 'segment routing'],
  ['8000::1', 'not assigned'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'a cloud’s metadata'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['ff0e::1', 'multicast'],
  ['fe80::1%eth0', 'with a zone'],
  ['2606:4700::1%eth0', 'with a zone'],
  ['', 'nothing'],
  ['example.com', 'a name'],
  ['1.2.3', 'a short form, which only a url’s parser may mend'],
  ['0x7f.0.0.1', 'hexadecimal'],
  ['0177.0.0.1', 'octal'],
  ['2130706433', 'a number'],
  ['1.1.1.1 ', 'with a space'],
  ['[2606:4700::1]', 'in brackets'],
];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('when the address is %s (%s), then it is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(REFUSED)('when the address is %s (%s), then it is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('when an IPv6 holds an IPv4 in any of the known forms, then it is not public, whatever the IPv4 is', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const hex = (a: number, b: number) => ((a << 8) | b).toString(16);
    const invert = (group: string) => (~parseInt(group, 16) & 0xffff).toString(16);
    fc.assert(
      fc.property(byte, byte, byte, byte, group, group, (a, b, c, d, x, y) => {
        const [high, low] = [hex(a, b), hex(c, d)];
        const forms = [
          `::${a}.${b}.${c}.${d}`,
          `::${high}:${low}`,
          `::ffff:${a}.${b}.${c}.${d}`,
          `::ffff:${high}:${low}`,
          `0:0:0:0:0:ffff:${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1:${x}:${y}::${high}:${low}`,
          `2002:${high}:${low}:${x}::${y}`,
          `2001:0:${high}:${low}:${x}:${y}:${invert(high)}:${invert(low)}`,
          `fe80::5efe:${high}:${low}`,
          `2606:4700:${x}:${y}:0:5efe:${high}:${low}`,
          `2a00:1450:${x}:${y}:200:5efe:${a}.${b}.${c}.${d}`,
        ];
        expect(forms.filter(isPublicAddress)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('when an address is outside 2000::/3, then it is not public', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.tuple(group, group, group, group, group, group, group, group), (groups) => {
        const text = groups.map((value) => value.toString(16)).join(':');
        return groups[0] >> 13 === 1 || !isPublicAddress(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
