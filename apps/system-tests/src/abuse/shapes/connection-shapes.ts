import { requestBytes } from '../shape';
import type { Shape, SoundCall } from '../shape';

/** A read on a connection that stays, `count` times, and a last one that ends it. */
function pipelined(call: SoundCall, count: number, last: Buffer): Buffer {
  const { host, path, token } = call;
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`;
  return Buffer.concat([Buffer.from(one.repeat(count)), last]);
}

const h2 = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
const hello = Buffer.from('16030100a5010000a10303' + '00'.repeat(160), 'hex');

const BYTES: Readonly<Record<string, (call: SoundCall) => Buffer>> = {
  'a TLS greeting': () => hello,
  'an HTTP/2 preface': () => h2,
  'an SSH banner': () => Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
  'a proxy header': (call) =>
    Buffer.concat([Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'), requestBytes(call)]),
  'random bytes': ({ random }) => Buffer.from(Array.from({ length: 4_000 }, () => random.between(0, 255))),
  'a line of 200 KB': () => Buffer.alloc(200_000, 'a'),
  'line feeds alone': (call) =>
    Buffer.from(requestBytes(call).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  'a thousand empty lines first': (call) =>
    Buffer.concat([Buffer.from('\r\n'.repeat(1_000)), requestBytes(call)]),
  'a blank first': (call) => Buffer.concat([Buffer.from(' '), requestBytes(call)]),
  'no Host': ({ path }) => Buffer.from(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`),
  'a hundred reads at once': (call) => pipelined(call, 99, requestBytes(call)),
  'a hundred reads and a broken one': (call) => pipelined(call, 99, Buffer.from('BROKEN\r\n\r\n')),
  'reads with a body each': (call) =>
    Buffer.concat([
      Buffer.from(`GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`.repeat(20)),
      requestBytes(call),
    ]),
  'half a request': (call) => requestBytes(call).subarray(0, 60),
  nothing: () => Buffer.alloc(0),
};

const ENDINGS: Readonly<Record<string, Shape['ending']>> = {
  'half a request': 'hangUp',
  nothing: 'hangUp',
  'a line of 200 KB': 'cut',
};

/** What a connection may carry instead of one request. */
export const CONNECTION_SHAPES: readonly Shape[] = Object.entries(BYTES).map(([name, bytes]) => ({
  name: `connection: ${name}`,
  ending: ENDINGS[name],
  bytes,
}));
