import { requestBytes } from '../shape';
import type { Shape } from '../shape';

const many = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at));

/** Lines added to sound headers. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'a flood of 900 headers': many(900, (at) => `X-${at}: y`),
  'a flood of 3,000 headers': many(3_000, (at) => `X-${at}: y`),
  '20,000 empty headers': many(20_000, () => 'a:'),
  'the same header 900 times': many(900, () => 'Accept: a'),
  'a header of 15 KB': [`X-Long: ${'x'.repeat(15_000)}`],
  'a header of 100 KB': [`X-Long: ${'x'.repeat(100_000)}`],
  'a name of 10 KB': [`${'X'.repeat(10_000)}: y`],
  'cookies of 12 KB': [`Cookie: ${'a=b; '.repeat(2_400)}`],
  '900 forwarded addresses': [`X-Forwarded-For: ${many(900, (at) => `10.0.0.${at % 256}`).join(', ')}`],
  'a forwarded address that is none': ['X-Forwarded-For: <script>', 'Forwarded: for="[::1"'],
  'headers that others trust': ['X-Original-URL: /ops/v1/partners', 'X-HTTP-Method-Override: DELETE'],
  'a request id too long': [`X-Request-Id: ${'a'.repeat(129)}`],
  'an empty request id': ['X-Request-Id:'],
  'request ids of markup': ['X-Request-Id: <script>alert(1)</script>'],
  'two request ids': ['X-Request-Id: a', 'X-Request-Id: b'],
  'a trace of nonsense': ['traceparent: 00-zz-zz-zz', `tracestate: ${'a=b,'.repeat(2_000)}`],
  'a key of 10 KB': [`Idempotency-Key: ${'k'.repeat(10_000)}`],
  'a key of bytes above 127': ['Idempotency-Key: \xff\xfe\x80'],
  'no Host but these': ['Host: evil.example', 'Host: '],
  'no line break between': ['X-A: 1\nX-B: 2\n\nX-C: 3'],
  'a bare carriage return': ['X-A: 1\rX-B: 2'],
  'a folded line': ['X-A: 1', ' X-B: 2'],
  'a blank before the colon': ['X-A : 1'],
  'an empty name': [': y'],
  'a name of other signs': ['X-(a)@b: y'],
  'a NUL in a value': ['X-A: a\0b'],
  'a line without a colon': ['nothing'],
  'a continue expected': ['Expect: 100-continue'],
  'something else expected': ['Expect: 200-ok'],
  'an upgrade to websocket': [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: eA==',
    'Sec-WebSocket-Version: 13',
  ],
  'an upgrade to h2c': [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  ],
  'connection options by the thousand': [`Connection: ${'a, '.repeat(3_000)}close`],
  'ranges by the thousand': [`Range: bytes=${'0-1,'.repeat(2_000)}`],
  conditions: ['If-None-Match: *', 'If-Match: "x"', 'If-Modified-Since: nonsense'],
  'languages by the thousand': [`Accept-Language: ${'xx;q=0.1,'.repeat(1_500)}`],
  encodings: ['Accept-Encoding: gzip, br, zstd, *;q=0', 'TE: trailers, deflate;q=0.5'],
  'a cross origin preflight': ['Origin: https://evil.example', 'Access-Control-Request-Method: POST'],
  'JSON inflated': ['Content-Encoding: gzip'],
  'an unknown encoding': ['Content-Encoding: br, gzip, br, gzip'],
  'an MD5': ['Content-MD5: x', 'Digest: sha-256=x'],
};

/** More than is read before it is refused. */
const TOO_MUCH = new Set(['a flood of 3,000 headers', '20,000 empty headers', 'a header of 100 KB']);

const TYPES: Readonly<Record<string, string | null>> = {
  'no type': null,
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  XML: 'application/xml',
  'JSON in UTF-16': 'application/json; charset=utf-16',
  'JSON in no charset': 'application/json; charset=',
  'JSON with 12 KB of parameters': `application/json;${' a=b;'.repeat(2_400)}`,
  'JSON with blanks': `application/json${' '.repeat(14_000)}x`,
  'a type with semicolons': `application/json${';'.repeat(14_000)}`,
  'a patch': 'application/merge-patch+json',
  CSV: 'text/csv',
  nothing: '/',
};

/** Headers unlike the sound ones. */
export const HEADER_SHAPES: readonly Shape[] = [
  ...Object.entries(HEADERS).map(([name, headers]): Shape => ({
    name: `header: ${name}`,
    ...(TOO_MUCH.has(name) && { ending: 'cut' }),
    bytes: (call) => requestBytes(call, { headers }),
  })),
  ...Object.entries(TYPES).map(([name, type]): Shape => ({
    name: `type: ${name}`,
    bytes: (call) => requestBytes(call, { type, body: JSON.stringify(call.body ?? { a: 1 }) }),
  })),
];
