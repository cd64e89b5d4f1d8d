import { requestBytes, soundText } from '../shape';
import type { Shape, SoundCall } from '../shape';

/** The request that a wrong length would smuggle in. */
const smuggled = ({ host }: SoundCall): string => `DELETE /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const bodyOf = (call: SoundCall): string => soundText(call);
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = (text: string): string => `${chunk(text)}0\r\n\r\n`;
const TE = 'Transfer-Encoding: chunked';

type Framing = (call: SoundCall) => { framing: string[]; body: string | Buffer };

/** Bodies whose lengths contradict themselves or each other; all of them are whole, one way or the other. */
const FRAMINGS: Readonly<Record<string, Framing>> = {
  'a length and chunks': (call) => ({
    framing: ['Content-Length: 4', TE],
    body: chunked(bodyOf(call)) + smuggled(call),
  }),
  'chunks and a length': (call) => ({
    framing: [TE, 'Content-Length: 4'],
    body: chunked(bodyOf(call)) + smuggled(call),
  }),
  'two equal lengths': (call) => ({
    framing: Array<string>(2).fill(`Content-Length: ${bodyOf(call).length}`),
    body: bodyOf(call),
  }),
  'two lengths': (call) => ({
    framing: ['Content-Length: 2', 'Content-Length: 40'],
    body: `{}${smuggled(call)}`,
  }),
  'a list of lengths': () => ({ framing: ['Content-Length: 2, 2'], body: '{}' }),
  'a negative length': () => ({ framing: ['Content-Length: -2'], body: '{}' }),
  'a length with a sign': () => ({ framing: ['Content-Length: +2'], body: '{}' }),
  'a hexadecimal length': () => ({ framing: ['Content-Length: 0x2'], body: '{}' }),
  'an exponent as length': () => ({ framing: ['Content-Length: 2e0'], body: '{}' }),
  'a length past 2^64': () => ({ framing: ['Content-Length: 18446744073709551618'], body: '{}' }),
  'an empty length': () => ({ framing: ['Content-Length:'], body: '{}' }),
  'a length too short': (call) => ({ framing: ['Content-Length: 1'], body: `{}${smuggled(call)}` }),
  'a huge length with half a body': () => ({ framing: ['Content-Length: 999999999999'], body: '{' }),
  'no length': () => ({ framing: [], body: '{"a":1}' }),
  'chunks twice': () => ({ framing: [TE, TE], body: chunked('{}') }),
  'chunks and identity': () => ({ framing: ['Transfer-Encoding: identity, chunked'], body: chunked('{}') }),
  'chunks before identity': () => ({
    framing: ['Transfer-Encoding: chunked, identity'],
    body: chunked('{}'),
  }),
  'an unknown coding': () => ({ framing: ['Transfer-Encoding: xchunked'], body: chunked('{}') }),
  'a coding after a tab': () => ({ framing: ['Transfer-Encoding:\tchunked'], body: chunked('{}') }),
  'a coding with a vertical tab': () => ({
    framing: ['Transfer-Encoding: \x0bchunked'],
    body: chunked('{}'),
  }),
  'a coding under a blank': () => ({ framing: ['Transfer-Encoding : chunked'], body: chunked('{}') }),
  'a negative chunk': () => ({ framing: [TE], body: '-2\r\n{}\r\n0\r\n\r\n' }),
  'a chunk past 2^64': () => ({ framing: [TE], body: `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n` }),
  'a chunk of 16 digits': () => ({ framing: [TE], body: '7fffffffffffffff\r\n{}' }),
  'a chunk that is no number': () => ({ framing: [TE], body: 'zz\r\n{}\r\n0\r\n\r\n' }),
  'a chunk with a sign': () => ({ framing: [TE], body: '+2\r\n{}\r\n0\r\n\r\n' }),
  'a chunk shorter than it says': () => ({ framing: [TE], body: '3\r\n{}\r\n0\r\n\r\n' }),
  'a chunk longer than it says': () => ({ framing: [TE], body: '1\r\n{}\r\n0\r\n\r\n' }),
  'chunks with line feeds alone': () => ({ framing: [TE], body: '2\n{}\n0\n\n' }),
  'an extension of 60 KB': () => ({ framing: [TE], body: `2;a=${'x'.repeat(60_000)}\r\n{}\r\n0\r\n\r\n` }),
  'thousands of extensions': () => ({ framing: [TE], body: `2${';a=b'.repeat(3_000)}\r\n{}\r\n0\r\n\r\n` }),
  'an extension for every byte': () => ({
    framing: [TE],
    body: `${'1;ab=cd\r\n \r\n'.repeat(5_000)}0\r\n\r\n`,
  }),
  'zeros before the size': () => ({ framing: [TE], body: `${'0'.repeat(5_000)}2\r\n{}\r\n0\r\n\r\n` }),
  'chunks of a byte': () => ({ framing: [TE], body: `${'1\r\n \r\n'.repeat(90_000)}${chunked('{}')}` }),
  'a megabyte in chunks of a byte': () => ({
    framing: [TE],
    body: `${'1\r\n \r\n'.repeat(1_000_000)}0\r\n\r\n`,
  }),
  trailers: () => ({
    framing: [TE, 'Trailer: Authorization'],
    body: `${chunk('{}')}0\r\nAuthorization: x\r\nContent-Length: 9\r\n\r\n`,
  }),
  'a flood of trailers': () => ({
    framing: [TE],
    body: `${chunk('{}')}0\r\n${'a: b\r\n'.repeat(20_000)}\r\n`,
  }),
  'a request after the body': (call) => ({
    framing: [`Content-Length: ${bodyOf(call).length}`],
    body: bodyOf(call) + smuggled(call),
  }),
  'chunks in a read': (call) => ({ framing: [TE], body: chunked(bodyOf(call)) }),
};

const ENDINGS: Readonly<Record<string, Shape['ending']>> = {
  'a huge length with half a body': 'hangUp',
  'a chunk of 16 digits': 'hangUp',
  'a megabyte in chunks of a byte': 'cut',
  'a flood of trailers': 'cut',
  'an extension of 60 KB': 'cut',
};

/** The lengths of bodies, contradicted. */
export const FRAMING_SHAPES: readonly Shape[] = Object.entries(FRAMINGS).map(([name, make]) => ({
  name: `framing: ${name}`,
  ending: ENDINGS[name],
  bytes: (call) => requestBytes(call, make(call)),
}));
