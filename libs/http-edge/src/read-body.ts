import type { IncomingMessage } from 'node:http';
import { AppError } from '@reseller/errors';
import { hasBody, receiveBody } from './arriving-body';
import { parseJsonObject, type JsonObject } from './parse-json';

const MEDIA_TYPE = /^\s*application\/json\s*(?:;(.*))?$/i;
const UTF8_CHARSET = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/**
 * Reads a request's body as one JSON object; an empty body counts as {} (spec §1.9). Errors:
 * VALIDATION_UNSUPPORTED_MEDIA_TYPE (not JSON in UTF-8, or compressed), VALIDATION_PAYLOAD_TOO_LARGE,
 * VALIDATION_MALFORMED_JSON.
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  if (!hasBody(request)) return {};
  const bytes = await receiveBody(request);
  if (bytes === 'too-large') throw new AppError('VALIDATION_PAYLOAD_TOO_LARGE');
  if (bytes === 'broken') throw new AppError('VALIDATION_MALFORMED_JSON');
  if (bytes.length === 0) return {};
  if (!isPlainJson(request.headers['content-type'], request.headers['content-encoding'])) {
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
