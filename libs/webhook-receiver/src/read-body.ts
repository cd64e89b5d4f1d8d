import type { IncomingMessage } from 'node:http';

/** The raw bytes of a request; `too-large` past the limit, which is found without reading on. */
export async function readBody(
  request: IncomingMessage & { body?: unknown },
  maxBytes: number,
): Promise<Buffer | 'too-large'> {
  if (request.body instanceof Uint8Array) {
    // express.raw() was here: these are the bytes.
    return request.body.length > maxBytes ? 'too-large' : Buffer.from(request.body);
  }
  if (request.readableDidRead || request.readableEnded)
    throw new Error(
      'the body was read before receiveWebhooks could: mount it before express.json() and other body parsers',
    );
  // It would say nothing any more.
  if (request.destroyed) throw wentAway();
  if (Number(request.headers['content-length']) > maxBytes) return 'too-large';
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.pause();
      resolve('too-large');
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(wentAway()));
  });
}

const wentAway = (): Error => new Error('the sender went away in the middle of the body');
