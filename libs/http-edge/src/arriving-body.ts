import type { IncomingMessage } from 'node:http';
import { append, takePieces } from './body-pieces';

/** The largest body (spec §1.5). */
const BODY_LIMIT_BYTES = 100 * 1024;

/** What is thrown away of a body that is too large, so that its sender gets to see the response. */
const DISCARD_LIMIT_BYTES = 4 * 1024 * 1024;
/** What a chunk counts for at least when it is thrown away: a byte in a chunk is as much work as a page. */
const LEAST_DISCARDED_BYTES = 64;
const SMALLEST_BYTES = 4 * 1024;

/** A body that has arrived, or why there is none. */
type ReceivedBody = Buffer | 'too-large' | 'broken';

const bodies = new WeakMap<IncomingMessage, Promise<ReceivedBody>>();

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Whether a body is of so few bytes that they cost little, however they arrive. */
export const isShortBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length']) <= SMALLEST_BYTES;

/**
 * A request's body, received from the first call on into one buffer: chunks that wait for a reader would each be an object, and
 * a byte in a chunk cost hundreds (spec §14.1). Never rejects.
 */
export function receiveBody(request: IncomingMessage): Promise<ReceivedBody> {
  let body = bodies.get(request);
  if (!body) bodies.set(request, (body = receive(request)));
  return body;
}

function receive(request: IncomingMessage): Promise<ReceivedBody> {
  return new Promise((resolve) => {
    let buffer: Buffer = Buffer.alloc(0);
    let length = 0;
    let discarded = 0;
    const isTooLarge = (): boolean =>
      length > BODY_LIMIT_BYTES || Number(request.headers['content-length']) > BODY_LIMIT_BYTES;
    const take = (piece: Buffer): void => {
      const start = length;
      length += piece.length;
      if (!isTooLarge()) buffer = append(buffer, start, piece);
      else {
        buffer = Buffer.alloc(0);
        resolve('too-large');
        discarded += Math.max(piece.length, LEAST_DISCARDED_BYTES);
        if (discarded > DISCARD_LIMIT_BYTES) request.destroy();
      }
    };
    if (isTooLarge()) resolve('too-large');
    takePieces(request, take);
    // Nobody is left to read the response of a request that broke off; it only ends the work.
    const onBroken = (): void => resolve('broken');
    request.once('end', () => resolve(buffer.subarray(0, length)));
    request.on('error', onBroken);
    request.once('close', onBroken);
    if (request.destroyed) onBroken();
  });
}
