import type { IncomingMessage } from 'node:http';
import { AppError } from '@reseller/errors';
import { parseJsonObject, type JsonObject } from './parse-json';

/** The largest body (spec §1.5). */
export const BODY_LIMIT_BYTES = 100 * 1024;

/** What is read and thrown away of a body that is too large, so that its sender gets to see the response. */
const DISCARD_LIMIT_BYTES = 4 * 1024 * 1024;

const MEDIA_TYPE = /^\s*application\/json\s*(?:;(.*))?$/i;
const UTF8_CHARSET = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/**
 * Reads a request's body as one JSON object; an empty body counts as {} (spec §1.9). Errors:
 * VALIDATION_UNSUPPORTED_MEDIA_TYPE (not JSON in UTF-8, or compressed), VALIDATION_PAYLOAD_TOO_LARGE,
 * VALIDATION_MALFORMED_JSON.
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0)) return {};
  if (Number(length) > BODY_LIMIT_BYTES) {
    discardRest(request);
    throw new AppError('VALIDATION_PAYLOAD_TOO_LARGE');
  }
  const bytes = await collect(request);
  if (bytes.length === 0) return {};
  if (!isPlainJson(headers['content-type'], headers['content-encoding'])) {
    throw new AppError('VALIDATION_UNSUPPORTED_MEDIA_TYPE');
  }
  return parseJsonObject(bytes);
}

function isPlainJson(type: string | undefined, encoding: string | undefined): boolean {
  const media = MEDIA_TYPE.exec(type ?? '');
  if (!media) return false;
  const parameters = (media[1] ?? '').split(';').filter((parameter) => /^\s*charset\s*=/i.test(parameter));
  if (!parameters.every((parameter) => UTF8_CHARSET.test(parameter))) return false;
  // Bodies are small: inflating one would only open a door for bombs.
  return encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity';
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      discardRest(request);
      reject(new AppError('VALIDATION_PAYLOAD_TOO_LARGE'));
    };
    request.on('data', onData);
    // Nobody is left to read the response of a request that broke off; it only ends the work.
    const onBroken = (): void => reject(new AppError('VALIDATION_MALFORMED_JSON'));
    request.once('end', () => {
      // A whole body's request closes too, in its time.
      request.off('close', onBroken);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', onBroken);
    request.once('close', onBroken);
    if (request.destroyed) onBroken();
  });
}

function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_LIMIT_BYTES) request.destroy();
  });
  request.on('error', () => undefined);
}
