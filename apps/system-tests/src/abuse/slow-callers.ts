import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from './wire';

/** A caller that holds a connection open and never gets to the end of a request, or of its response. */
interface SlowCaller {
  readonly name: string;
  readonly connections: number;
  /** Whether the edge must cut it off within a minute of its stalling (spec §14.1). */
  readonly isCut: boolean;
  /** Sends until the signal or the connection ends. */
  send(socket: Socket, token: string, signal: AbortSignal): Promise<void>;
}

const head = (token: string, framing: string): string =>
  `POST /api/v1/orders/topup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
const read = (token: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** Writes the same bytes over and over, with a pause between; no faster than they are taken. */
async function repeat(socket: Socket, bytes: string, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && socket.writable) {
    if (socket.write(bytes)) await pause(everyMs);
    else await drained(socket, signal);
  }
}

function drained(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      socket.off('drain', goOn).off('close', goOn);
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    socket.once('drain', goOn).once('close', goOn);
    signal.addEventListener('abort', goOn, { once: true });
  });
}

/** Every kind of them; together a few hundred connections. */
export const SLOW_CALLERS: readonly SlowCaller[] = [
  { name: 'says nothing', connections: 100, isCut: true, send: () => Promise.resolve() },
  {
    name: 'headers by the letter',
    connections: 60,
    isCut: true,
    async send(socket, _token, signal) {
      socket.write('GET /api/v1/wallet/balance HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      await repeat(socket, 'a', 1_000, signal);
    },
  },
  {
    name: 'a body by the letter',
    connections: 60,
    isCut: true,
    async send(socket, token, signal) {
      socket.write(head(token, 'Content-Length: 5000'));
      await repeat(socket, ' ', 1_000, signal);
    },
  },
  {
    name: 'half a body',
    connections: 60,
    isCut: true,
    send: (socket, token) => Promise.resolve(void socket.write(`${head(token, 'Content-Length: 50')}{`)),
  },
  {
    name: 'a slow chunk after the other',
    connections: 30,
    isCut: true,
    async send(socket, token, signal) {
      socket.write(head(token, CHUNKED));
      await repeat(socket, '1\r\n \r\n', 200, signal);
    },
  },
  {
    name: 'chunks of a byte without end',
    connections: 5,
    isCut: true,
    async send(socket, token, signal) {
      socket.write(head(token, CHUNKED));
      await repeat(socket, '1\r\n \r\n'.repeat(2_000), 0, signal);
    },
  },
  {
    name: 'large chunks without end',
    connections: 5,
    isCut: true,
    async send(socket, token, signal) {
      socket.write(head(token, CHUNKED));
      await repeat(socket, `8000\r\n${' '.repeat(0x8000)}\r\n`, 0, signal);
    },
  },
  {
    name: 'reads by the thousand, responses unread',
    connections: 10,
    isCut: false,
    async send(socket, token, signal) {
      socket.pause();
      await repeat(socket, read(token, '/api/v1/scent/variants?pageSize=100').repeat(20), 50, signal);
    },
  },
  {
    name: 'refusals by the thousand, responses unread',
    connections: 10,
    isCut: false,
    async send(socket, token, signal) {
      socket.pause();
      await repeat(socket, read(token, '/nothing').repeat(50), 50, signal);
    },
  },
];

/** What became of one kind of slow caller: how many connections the edge ended, and when the last of them. */
export interface SlowOutcome {
  readonly name: string;
  readonly connections: number;
  readonly isCut: boolean;
  readonly cut: number;
  readonly lastCutMs: number;
}

/** Opens the connections of one kind and keeps at it until the signal; returns what became of them. */
export async function beSlow(
  to: Address,
  token: string,
  caller: SlowCaller,
  signal: AbortSignal,
): Promise<SlowOutcome> {
  const { name, connections, isCut } = caller;
  setMaxListeners(0, signal);
  const cuts = await Promise.all(
    Array.from({ length: connections }, () => holdOne(to, token, caller, signal)),
  );
  const times = cuts.filter((ms) => ms !== undefined);
  return { name, connections, isCut, cut: times.length, lastCutMs: Math.max(0, ...times) };
}

/** After how many milliseconds the edge ended the connection; undefined when it did not before the signal. */
async function holdOne(
  to: Address,
  token: string,
  { send, isCut }: SlowCaller,
  signal: AbortSignal,
): Promise<number | undefined> {
  const startedAt = performance.now();
  const socket = connect(to);
  socket.on('error', () => undefined);
  if (isCut) socket.resume();
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - startedAt)),
  );
  const ended = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  const sent = send(socket, token, signal);
  const cut = await Promise.race([closed, ended]);
  socket.destroy();
  await sent;
  return cut;
}
