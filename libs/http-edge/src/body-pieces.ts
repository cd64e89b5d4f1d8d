import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PiecePacer } from './piece-pacer';

/** A piece of any other sender's: a segment of the network is larger, and what ends a body comes alone. */
const SMALL_BYTES = 256;
const FIRST_PIECES = 4;
/** After so many small pieces a connection waits for its turn. */
const MANY_SMALL = 256;

interface Connection {
  small: number;
  /** How many bodies are held back. */
  held: number;
  isResting: boolean;
}

/** What has come of a body that nobody takes yet, with how much of the buffer it fills. */
interface Held {
  bytes: Buffer;
  length: number;
}

const SMALLEST_BUFFER_BYTES = 4 * 1024;
const heldBodies = new WeakMap<IncomingMessage, Held>();
const connections = new WeakMap<Socket, Connection>();
const pacer = new PiecePacer();

function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (!connection) connections.set(socket, (connection = { small: 0, held: 0, isResting: false }));
  return connection;
}

/**
 * Holds a body back until it is taken or thrown away: its connection is read no further, so that of all that a caller sends ahead no more
 * is kept than what one read of the socket brings. What that has of this body is in one buffer (spec §14.1).
 */
export function holdPieces(request: IncomingMessage): void {
  const { socket } = request;
  const held: Held = { bytes: Buffer.alloc(0), length: 0 };
  heldBodies.set(request, held);
  connectionOf(socket).held += 1;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // At the end of a body the parser has the socket read on, in the next tick: this comes after it.
    process.nextTick(process.nextTick, () => {
      isStopping = false;
      if (heldBodies.has(request)) socket.pause();
    });
  };
  stop();
  const push = request.push.bind(request);
  request.push = (piece: Buffer | null): boolean => {
    stop();
    if (piece === null) return push(null);
    held.bytes = append(held.bytes, held.length, piece);
    held.length += piece.length;
    return true;
  };
}

/** Throws a body away, whether it was held back or not. */
export function dropPieces(request: IncomingMessage): void {
  release(request);
  request.resume();
}

/** Ends that a body is held back; returns what has come of it. */
function release(request: IncomingMessage): Buffer | undefined {
  const held = heldBodies.get(request);
  if (!held) return undefined;
  heldBodies.delete(request);
  // The class's own again.
  Reflect.deleteProperty(request, 'push');
  const connection = connectionOf(request.socket);
  connection.held -= 1;
  // Has the socket read on, unless what it has brought already waits.
  if (connection.held === 0) request._read(0);
  return held.bytes.subarray(0, held.length);
}

/** The first piece as it is; further ones are copied into a buffer of at most twice their length. */
export function append(buffer: Buffer, length: number, piece: Buffer): Buffer {
  if (length === 0) return piece;
  let target = buffer;
  if (length + piece.length > buffer.length) {
    target = Buffer.allocUnsafeSlow(
      Math.max(SMALLEST_BUFFER_BYTES, 2 * buffer.length, length + piece.length),
    );
    buffer.copy(target, 0, 0, length);
  }
  piece.copy(target, length);
  return target;
}

/**
 * Hands over each piece of a body as the parser finds it, without the stream between them, which costs half as much again; the
 * stream only ends. A connection that has brought many small ones is not read before its turn, nor one that is held, until `_read`.
 */
export function takePieces(
  request: IncomingMessage,
  take: (piece: Buffer) => void,
  isHeld: () => boolean = () => false,
): void {
  const { socket } = request;
  const connection = connectionOf(socket);
  const held = release(request);
  const push = request.push.bind(request);
  let pieces = 0;
  request.push = (piece: Buffer | null): boolean => {
    if (piece === null) return push(null);
    take(piece);
    pieces += 1;
    if (pieces > FIRST_PIECES && piece.length < SMALL_BYTES) connection.small += 1;
    if (connection.small > MANY_SMALL && !connection.isResting) rest(connection, request);
    // Where this is false the socket is read no further, once what it has brought is parsed.
    return !connection.isResting && !isHeld();
  };
  if (held && held.length > 0) take(held);
  request.resume();
}

function rest(connection: Connection, request: IncomingMessage): void {
  const since = performance.now();
  connection.isResting = true;
  // When all that this read of the socket brought is parsed.
  process.nextTick(() =>
    pacer.rest(performance.now() - since, () => {
      connection.small = 0;
      connection.isResting = false;
      request._read(0);
    }),
  );
}
