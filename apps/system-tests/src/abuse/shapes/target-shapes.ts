import { requestBytes } from '../shape';
import type { RequestChange, Shape, SoundCall } from '../shape';

const many = (count: number, pair: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => pair(at)).join('&');

const TARGETS: Readonly<Record<string, (call: SoundCall) => string>> = {
  'thousands of parameters': ({ path }) => `${path}?${many(1_800, (at) => `a${at}=1`)}`,
  'thousands of empty parameters': ({ path }) => `${path}?${'&'.repeat(14_000)}`,
  'parameters of Object': ({ path }) => `${path}?__proto__[x]=1&constructor=2&toString=3&__proto__=4`,
  'a query of 15 KB': ({ path }) => `${path}?${'q'.repeat(15_000)}`,
  'a query of plus signs': ({ path }) => `${path}?page=${'+'.repeat(14_000)}`,
  'a query of bad escapes': ({ path }) => `${path}?page=${'%'.repeat(14_000)}`,
  'a path of 15 KB': ({ path }) => `${path}/${'a'.repeat(15_000)}`,
  'a path of 7,000 segments': ({ path }) => path + '/a'.repeat(7_000),
  'a path of 40 KB': ({ path }) => path + 'a'.repeat(40_000),
  'a slash at the end': ({ path }) => `${path}/`,
  'slashes doubled': ({ path }) => path.replaceAll('/', '//'),
  'dot segments': ({ path }) => `/x/..${path}/../.`,
  'encoded slashes': ({ path }) => path.replaceAll('/', '%2f'),
  'capital letters': ({ path }) => path.toUpperCase(),
  backslashes: ({ path }) => path.replaceAll('/', '\\'),
  'a fragment': ({ path }) => `${path}#x?y`,
  'a semicolon': ({ path }) => `${path};jsessionid=1`,
  'an absolute form': ({ path, host }) => `http://${host}${path}`,
  'an absolute form of elsewhere': ({ path }) => `http://evil.example${path}`,
  'an absolute form of another scheme': ({ path }) => `ftp://evil.example${path}`,
  'an absolute form without a path': () => 'http://evil.example',
  'an absolute form with a user': ({ path }) => `http://u:p@evil.example:99999${path}`,
  'an authority': () => 'evil.example:443',
  'an asterisk': () => '*',
  'no slash at the start': ({ path }) => path.slice(1),
  'nothing but a question mark': () => '?',
  'bytes above 127': ({ path }) => `${path}\xff\xfe`,
  'a NUL': ({ path }) => `${path}\0`,
  'a tab': ({ path }) => `${path}\tx`,
  'a blank': ({ path }) => `${path} x`,
  'two slashes as host': ({ path }) => `//evil.example${path}`,
};

const METHODS = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'SOURCE',
];
const NO_METHODS = ['get', 'Get', 'FOO', 'G\0ET', 'G ET', 'X'.repeat(10_000), ''];

const LINES: Readonly<Record<string, RequestChange>> = {
  'HTTP/1.0': { version: 'HTTP/1.0' },
  'HTTP/0.9': { version: '' },
  'HTTP/2.0': { version: 'HTTP/2.0' },
  'HTTP/9.9': { version: 'HTTP/9.9' },
  'HTTP/1.1.1': { version: 'HTTP/1.1.1' },
  'http in small letters': { version: 'http/1.1' },
  'another protocol': { version: 'RTSP/1.0' },
  CONNECT: { method: 'CONNECT', target: 'evil.example:443', body: '' },
};

/** Targets, methods and versions of the request line that are unlike the sound ones. */
export const TARGET_SHAPES: readonly Shape[] = [
  ...Object.entries(TARGETS).map(([name, target]): Shape => ({
    name: `target: ${name}`,
    ...(name === 'a path of 40 KB' && { ending: 'cut' }),
    bytes: (call) => requestBytes(call, { target: target(call) }),
  })),
  ...[...METHODS, ...NO_METHODS].map((method): Shape => ({
    name: `method: ${JSON.stringify(method.slice(0, 20))}`,
    bytes: (call) => requestBytes(call, { method }),
  })),
  ...Object.entries(LINES).map(([name, change]): Shape => ({
    name: `request line: ${name}`,
    bytes: (call) => requestBytes(call, change),
  })),
];
