import { listFaults, MOST_FAULTS, type ErrorCode, type FieldFault, type JsonValue } from '@reseller/errors';

/** The largest error response (spec §14.1). */
export const LARGEST_ERROR_BYTES = 32 * 1024;

/** For the state, whose code is one of the catalogue, and the frame around the details. */
const FRAME_BYTES = 256;
const LONGEST_MESSAGE = 1_000;

type Details = Record<string, JsonValue>;

/** The error envelope as text, of at most 32 KiB whatever a service put into its details (spec §1.2, §14.1). */
export function errorEnvelope({ code, details }: { code: ErrorCode; details: Details }): string {
  const listed = withListedFaults(details);
  const envelope = envelopeOf(code, listed);
  return Buffer.byteLength(envelope) <= LARGEST_ERROR_BYTES ? envelope : envelopeOf(code, fit(listed));
}

const envelopeOf = (code: ErrorCode, details: Details): string =>
  JSON.stringify({ state: code, payload: null, details });

/** A service of another version may name more faults than an error lists. */
function withListedFaults(details: Details): Details {
  const { errors } = details;
  if (!Array.isArray(errors) || errors.length <= MOST_FAULTS) return details;
  const faults = errors.filter(isFault);
  const isListed = faults.length === MOST_FAULTS + 1 && faults.at(-1)?.path === '';
  return isListed ? details : { ...details, errors: listFaults(faults).map((fault) => ({ ...fault })) };
}

const isFault = (value: JsonValue): value is JsonValue & FieldFault =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value;

/** The sentence and the request id, and those of the other details that there is room for, each whole. */
function fit({ message, requestId, ...others }: Details): Details {
  const fitted: Details = { message: String(message).slice(0, LONGEST_MESSAGE), requestId: requestId ?? '' };
  let room = LARGEST_ERROR_BYTES - FRAME_BYTES - sizeOf(fitted);
  for (const [name, value] of Object.entries(others)) {
    const size = sizeOf({ [name]: value });
    if (size > room) continue;
    fitted[name] = value;
    room -= size;
  }
  return fitted;
}

const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
