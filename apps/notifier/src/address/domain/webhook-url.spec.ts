import { describe, expect, it } from '@jest/globals';
import { parseWebhookUrl } from './webhook-url';

const TAKEN = [
  ['https://example.com', 'example.com', 443],
  ['https://example.com/', 'example.com', 443],
  ['HTTPS://EXAMPLE.COM/Path?q=1#f', 'example.com', 443],
  ['https://example.com:8443/hook', 'example.com', 8443],
  ['https://example.com:443/hook', 'example.com', 443],
  ['http://example.com/hook', 'example.com', 80],
  ['https://example.com./hook', 'example.com', 443],
  ['https://a_b.example.com/', 'a_b.example.com', 443],
  ['https://intranet/hook', 'intranet', 443],
  ['https://example.com/@partner', 'example.com', 443],
  ['https://example.com/a:b@c', 'example.com', 443],
  ['https://example.com?user@host', 'example.com', 443],
  ['https://example.com#user@host', 'example.com', 443],
  ['https://example.com/a..b/../c', 'example.com', 443],
  ['https://example.com/%20%00%5c', 'example.com', 443],
  [`https://${'a'.repeat(63)}.com/`, `${'a'.repeat(63)}.com`, 443],
  ['https://bücher.example/', 'xn--bcher-kva.example', 443],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', 443],
  ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah', 443],
  ['https://例え。テスト/', 'xn--r8jz45g.xn--zckzah', 443],
  ['https://ｅｘａｍｐｌｅ.com/', 'example.com', 443],
  ['https://1.1.1.1/', '1.1.1.1', 443],
  ['https://1.1.1.1./', '1.1.1.1', 443],
  ['https://[2606:4700::1]/', '2606:4700::1', 443],
  ['https://[2606:4700:0:0::1]:8443/', '2606:4700::1', 8443],
  // All ways to spell 127.0.0.1; what they are is for the address check.
  ['https://2130706433/', '127.0.0.1', 443],
  ['https://0x7f000001/', '127.0.0.1', 443],
  ['https://017700000001/', '127.0.0.1', 443],
  ['https://127.1/', '127.0.0.1', 443],
  ['https://127.0.1/', '127.0.0.1', 443],
  ['https://0x7f.0.0.0x1/', '127.0.0.1', 443],
  ['https://0177.0.0.01/', '127.0.0.1', 443],
  ['https://１２７.０.０.１/', '127.0.0.1', 443],
  ['https://①②⑦.0.0.1/', '127.0.0.1', 443],
  ['https://%31%32%37.0.0.1/', '127.0.0.1', 443],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1', 443],
  ['https://LOCALHOST/', 'localhost', 443],
  ['https://ｌｏｃａｌｈｏｓｔ/', 'localhost', 443],
] as const;

const REFUSED: [string, string][] = [
  ['', 'nothing'],
  ['example.com', 'no scheme'],
  ['//example.com/', 'no scheme'],
  ['ftp://example.com/', 'another scheme'],
  ['file:///etc/passwd', 'another scheme'],
  ['javascript:alert(1)', 'another scheme'],
  ['wss://example.com/', 'another scheme'],
  ['https:example.com', 'no slashes'],
  ['https:/example.com', 'one slash'],
  ['https:///example.com/', 'an empty authority'],
  ['https://', 'no authority'],
  ['https://?x', 'no authority'],
  ['https://:443/', 'no host'],
  ['https://user@example.com/', 'user info'],
  ['https://user:secret@example.com/', 'user info'],
  ['https://@example.com/', 'empty user info'],
  ['https://a@b@example.com/', 'user info twice'],
  ['https://example.com%40evil.test/', 'an escaped @ in the host'],
  ['https://example.com@169.254.169.254/', 'user info that looks like a host'],
  ['https:\\\\example.com\\', 'backslashes'],
  ['https://example.com\\@evil.test/', 'a backslash'],
  ['https://example.com/a\\b', 'a backslash in the path'],
  [' https://example.com/', 'a space before'],
  ['https://example.com/ ', 'a space after'],
  ['https://example.com/a b', 'a space in the path'],
  ['https://exa mple.com/', 'a space in the host'],
  ['https://exa\tmple.com/', 'a tab that a parser would drop'],
  ['https://example.com/\n', 'a line feed that a parser would drop'],
  ['https://example.com/\r', 'a carriage return'],
  ['https://example.com/\u0000', 'a NUL'],
  ['https://example.com/\u007f', 'DEL'],
  ['https://example.com/\u0085', 'a control character beyond ASCII'],
  ['https://example.com/\u00a0', 'a no-break space'],
  ['https://example.com/\u2003', 'an em space'],
  ['https://example.com/\u2028', 'a line separator'],
  ['https://example.com/\ufeff', 'a byte order mark'],
  ['https://example.com/\ud800', 'half a character'],
  ['https://example..com/', 'an empty label'],
  ['https://.example.com/', 'an empty label first'],
  ['https://example.com../', 'two dots at the end'],
  ['https://./', 'the root alone'],
  ['https://../', 'dots alone'],
  ['https://example。。com/', 'an empty label between other dots'],
  ['https://\u00ad.com/', 'a label that vanishes'],
  [`https://${'a'.repeat(64)}.com/`, 'a label too long'],
  [`https://www.${'a'.repeat(64)}/`, 'a label too long at the end'],
  [`https://${'ü'.repeat(60)}.com/`, 'a label that gets too long in ASCII'],
  [`https://${'%61'.repeat(22)}.com/`, 'a label that is too long as it is written'],
  [`https://example.com/${'a'.repeat(2_029)}`, '2,049 characters'],
  ['https://example.com:65536/', 'a port too high'],
  ['https://example.com:port/', 'a port that is none'],
  ['https://example.com:1:2/', 'two ports'],
  ['https://[::1/', 'an open bracket'],
  ['https://[fe80::1%25eth0]/', 'a zone'],
  ['https://[fe80::1%eth0]/', 'a zone'],
  ['https://::1/', 'no brackets'],
  ['https://256.256.256.256/', 'no address'],
  ['https://1.2.3.4.5/', 'no address'],
  ['https://example.0x7f/', 'a last label that is a number'],
  ['https://exa<mple.com/', 'a forbidden character'],
  ['https://exa|mple.com/', 'a forbidden character'],
  ['https://exa%00mple.com/', 'an escaped NUL in the host'],
  ['https://exa%2fmple.com/', 'an escaped slash in the host'],
];

describe('parseWebhookUrl', () => {
  it.each(TAKEN)('when the url is %s, then its host is %s and its port %d', (text, host, port) => {
    expect(parseWebhookUrl(text)).toMatchObject({ host, port });
  });

  it.each(REFUSED)('when the url is %j (%s), then it is refused', (text) => {
    expect(parseWebhookUrl(text)).toBeUndefined();
  });

  it('when a url has 2,048 characters, then it is taken, also where a character is two code units', () => {
    const url = `https://example.com/${'a'.repeat(2_028)}`;
    expect(url.length).toBe(2_048);
    expect(parseWebhookUrl(url)).toBeDefined();
    expect(parseWebhookUrl(`https://example.com/${'😀'.repeat(2_028)}`)).toBeDefined();
    expect(parseWebhookUrl(`https://example.com/${'😀'.repeat(2_029)}`)).toBeUndefined();
  });

  it('when a host is an address, then it is known as one, and a name is not', () => {
    const isAddress = (text: string) => parseWebhookUrl(text)?.isAddress;
    expect(['https://1.1.1.1/', 'https://0x7f.1/', 'https://[::1]/'].map(isAddress)).toEqual([
      true,
      true,
      true,
    ]);
    expect(isAddress('https://example.com/')).toBe(false);
  });
});
