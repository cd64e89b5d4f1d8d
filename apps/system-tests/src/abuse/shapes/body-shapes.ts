import { requestBytes, soundText } from '../shape';
import type { Shape, SoundCall } from '../shape';

type BodyMaker = (call: SoundCall) => string | Buffer;

/** The sound body with something more at its end. */
const withMore = (call: SoundCall, more: string): string => {
  const text = soundText(call).slice(0, -1);
  return `${text}${text === '{' ? '' : ','}${more}}`;
};

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);
const list = (item: string, count: number): string => `[${Array<string>(count).fill(item).join(',')}]`;
const keys = (count: number, value: string): string =>
  Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join(',');

/** The deepest faults for the longest path: the response to it once outgrew the memory of the gateway. */
const LONG_PATHS = `{"${'k'.repeat(50_000)}":${list('"\\u0000"', 5_400)}}`;

const BODIES: Readonly<Record<string, BodyMaker>> = {
  'a long key over thousands of NULs': () => LONG_PATHS,
  'a long key in the sound body': (call) => withMore(call, LONG_PATHS.slice(1, -1)),
  'a long key over thousands of lone surrogates': () =>
    `{"${'k'.repeat(30_000)}":${list('"\\ud800"', 6_000)}}`,
  'a list of long keys over NULs': () => `{"lines":[{"${'k'.repeat(50_000)}":${list('"\\u0000"', 5_000)}}]}`,
  'long keys in each other': () =>
    `{"${'a'.repeat(9_000)}":`.repeat(10) + list('"\\u0000"', 900) + '}'.repeat(10),
  'a key of 100,000 characters': (call) => withMore(call, `"${'k'.repeat(100_000)}":1`),
  'thousands of unknown keys': (call) => withMore(call, keys(8_000, '0')),
  'thousands of unknown keys with NULs': () => `{${keys(5_000, '"\\u0000"')}}`,
  'thousands of {} in every known list': () =>
    `{${['lines', 'eventTypes', 'scopedVariantIds'].map((key) => `"${key}":${list('{}', 11_000)}`).join(',')}}`,
  'thousands of {} as lines': () => `{"lines":${list('{}', 34_000)}}`,
  'thousands of unlike lines': () => `{"lines":${list('{"quantity":"x","a":[],"b":{}}', 3_000)}}`,
  'thousands of nulls': () => `{"lines":${list('null', 20_000)}}`,
  'lists 50,000 deep': () => nested('[', ']', 50_000),
  'lists 50,000 deep under a key': () => `{"lines":${nested('[', ']', 49_000)}}`,
  'objects 17,000 deep': () => `${'{"a":'.repeat(16_500)}1${'}'.repeat(16_500)}`,
  'objects 500 deep beside the sound fields': (call) =>
    withMore(call, `"x":${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
  'lists 100,000 deep that never close': () => '['.repeat(100_000),
  'deep with a NUL at the bottom': () => `${'{"a":'.repeat(14_000)}"\\u0000"${'}'.repeat(14_000)}`,
  'every key twice': (call) => `${soundText(call).slice(0, -1)},${soundText(call).slice(1)}`,
  'one key 10,000 times': () => `{${Array<string>(10_000).fill('"amount":1').join(',')}}`,
  '__proto__ as a key': (call) => withMore(call, '"__proto__":{"isAdmin":true,"amount":1}'),
  '__proto__ as the whole body': () => '{"__proto__":{"externalReference":"x","amount":1}}',
  'constructor.prototype': (call) => withMore(call, '"constructor":{"prototype":{"isAdmin":true}}'),
  'methods of Object as keys': (call) =>
    withMore(call, '"toString":null,"valueOf":1,"hasOwnProperty":{},"toJSON":"x","then":"y"'),
  'an infinite number': (call) => withMore(call, '"amount":1e400'),
  'a number of 50,000 digits': (call) => withMore(call, `"amount":${'9'.repeat(50_000)}`),
  'a fraction of 90,000 digits': (call) => withMore(call, `"amount":0.${'0'.repeat(90_000)}1`),
  'an exponent of 1,000 digits': (call) => withMore(call, `"amount":1e${'9'.repeat(1_000)}`),
  'thousands of inexact numbers': () => `{"lines":${list('0.10000000000000000001', 4_000)}}`,
  'a list': () => '[]',
  'a string': () => '"x"',
  'a number': () => '1e400',
  null: () => 'null',
  true: () => 'true',
  'blanks alone': () => ' '.repeat(90_000),
  'blanks around': (call) => `${'\n'.repeat(40_000)}${soundText(call)}${'\t'.repeat(40_000)}`,
  'a byte order mark': (call) => Buffer.from(`\ufeff${soundText(call)}`),
  'UTF-16': (call) => Buffer.from(`\ufeff${soundText(call)}`, 'utf16le'),
  'bytes that are no UTF-8': (call) =>
    Buffer.concat([Buffer.from(withMore(call, '"x":"')), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
  'overlong UTF-8': (call) => Buffer.from(withMore(call, '"x":"\xc0\x80\xe0\x80\x80"'), 'latin1'),
  'surrogates as UTF-8': (call) => Buffer.from(withMore(call, '"x":"\xed\xa0\x80"'), 'latin1'),
  'a cut character': (call) => Buffer.from(withMore(call, '"x":"\xf0\x9f\x92"'), 'latin1'),
  'NUL bytes': (call) => soundText(call).replaceAll(',', ',\0'),
  'NUL bytes at the end': (call) => `${soundText(call)}${'\0'.repeat(1_000)}`,
  'nothing but NUL bytes': () => Buffer.alloc(50_000),
  'two documents': (call) => soundText(call).repeat(2),
  'half a document': (call) => soundText(call).slice(0, -2),
  'a comma too many': (call) => soundText(call).replace(/\}$/, ',}'),
  comments: (call) => `/* */${soundText(call)}// end`,
  'NaN and Infinity': (call) => withMore(call, '"amount":NaN,"quantity":-Infinity'),
  'a bare control character': (call) => withMore(call, '"x":"\u0001"'),
  'an unfinished escape': (call) => withMore(call, '"x":"\\u00"'),
  'lone surrogates in a key and a value': (call) => withMore(call, '"\\ud800":"\\udfff"'),
  'exactly 100 KiB': () => `{"a":"${'x'.repeat(100 * 1024 - 8)}"}`,
  'a byte over 100 KiB': () => `{"a":"${'x'.repeat(100 * 1024 - 7)}"}`,
  '1 MiB': () => `{"a":"${'x'.repeat(1024 * 1024)}"}`,
  'random bytes': ({ random }) => Buffer.from(Array.from({ length: 4_000 }, () => random.between(0, 255))),
  'a few bytes changed': (call) => {
    const bytes = Buffer.from(soundText(call));
    for (let at = 0; at < 4; at += 1)
      bytes[call.random.between(0, bytes.length - 1)] = call.random.between(0, 255);
    return bytes;
  },
};

const LARGE = new Set(['1 MiB']);

/** Bodies that no schema knows of. */
export const BODY_SHAPES: readonly Shape[] = Object.entries(BODIES).map(([name, make]) => ({
  name: `body: ${name}`,
  ...(LARGE.has(name) && { ending: 'cut' }),
  bytes: (call) => requestBytes(call, { body: make(call) }),
}));
