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
  isResting: boolean;
}

const connections = new WeakMap<Socket, Connection>();
const pacer = new PiecePacer();

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
  const connection = connections.get(socket) ?? { small: 0, isResting: false };
  connections.set(socket, connection);
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
