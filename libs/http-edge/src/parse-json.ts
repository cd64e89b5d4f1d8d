import { AppError } from '@reseller/errors';
import { Decimal } from '@reseller/money';

/** A parsed JSON object. */
export type JsonObject = Record<string, unknown>;

/** Stands for a number that a double cannot hold as it was written; no schema accepts it (spec §3.1). */
export class InexactNumber {
  constructor(readonly source: string) {}
}

// Longer ones are beyond any double, and not worth the arithmetic.
const LONGEST_NUMBER = 64;

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  if (source.length > LONGEST_NUMBER || !Number.isFinite(value))
    return new InexactNumber(source.slice(0, LONGEST_NUMBER));
  return new Decimal(source).equals(value) ? value : new InexactNumber(source);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses bytes as one JSON object, or throws VALIDATION_MALFORMED_JSON. Each number in it is exactly what was written,
 * so that its shortest text is its exact decimal; others become an InexactNumber.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof InexactNumber) {
    throw new AppError('VALIDATION_MALFORMED_JSON');
  }
  return value as JsonObject;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes), keepExact);
  } catch (error) {
    // Not UTF-8, not JSON, or nested deeper than the stack.
    throw new AppError('VALIDATION_MALFORMED_JSON', {}, { cause: error });
  }
}
