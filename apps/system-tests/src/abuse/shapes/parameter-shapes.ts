import type { Operation } from '../operations';
import { requestBytes } from '../shape';
import type { Shape } from '../shape';

/** Texts of one component, encoded as they go over the wire. */
const VALUES: Readonly<Record<string, string>> = {
  empty: '',
  blank: '%20',
  zero: '0',
  'minus one': '-1',
  'past 2^31': '2147483648',
  'past 2^64': '99999999999999999999',
  'an exponent': '1e2',
  hexadecimal: '0x10',
  'digits of another script': '%D9%A1%D9%A2',
  '5,000 digits': '9'.repeat(5_000),
  'a NUL': '%00',
  'a NUL inside': 'a%00b',
  'no UTF-8': '%ff%fe',
  'a surrogate': '%ed%a0%80',
  'overlong UTF-8': '%c0%af',
  'half an escape': '%',
  'a bad escape': '%zz',
  'encoded twice': '%252e%252e%252f',
  'a line break': '%0d%0aX-Injected:%201',
  'two dots': '..',
  'two dots, encoded': '%2e%2e%2f%2e%2e',
  'an emoji': '%F0%9F%92%A5',
  '3,000 emoji': '%F0%9F%92%A5'.repeat(1_000),
  '10,000 characters': 'a'.repeat(10_000),
  __proto__: '__proto__',
  constructor: 'constructor',
  braces: '%7Bid%7D',
  SQL: "1'%20OR%20'1'='1",
  'the nil id': '00000000-0000-0000-0000-000000000000',
  'an id in capitals': '019A2F3C-5B7E-7C41-9A6D-0D5F2F6B8A10',
  '30 February': '2026-02-30T25:61:61Z',
  'a date of 5,000 digits': `2026-01-01T00:00:00.${'9'.repeat(5_000)}Z`,
  'raw bytes': '\xff\xfe\x80',
};

/** Where a parameter of the path stands in its template, by segments. */
function pathWith(operation: Operation, path: string, name: string, value: string): string {
  const at = operation.path.split('/').indexOf(`{${name}}`);
  const segments = path.split('/');
  segments[at] = value;
  return segments.join('/');
}

/** Hostile values for each parameter of a call's path and query. */
export function parameterShapes(operation: Operation): Shape[] {
  const values = Object.entries(VALUES);
  const inPath = operation.params.flatMap((name) =>
    values.map(([label, value]): Shape => ({
      name: `path ${name}: ${label}`,
      bytes: (call) => requestBytes(call, { target: pathWith(operation, call.path, name, value) }),
    })),
  );
  const inQuery = operation.query.flatMap((name) => [
    ...values.map(([label, value]): Shape => ({
      name: `query ${name}: ${label}`,
      bytes: (call) => requestBytes(call, { target: `${call.path}?${name}=${value}` }),
    })),
    ...[
      `${name}=1&${name}=1`,
      `${name}[]=1&${name}[a]=2`,
      name,
      Array(900).fill(`${name}=%00`).join('&'),
    ].map((query, at): Shape => ({
      name: `query ${name}: ${['twice', 'as a list', 'without a value', '900 times'][at]}`,
      bytes: (call) => requestBytes(call, { target: `${call.path}?${query}` }),
    })),
  ]);
  return [...inPath, ...inQuery];
}
