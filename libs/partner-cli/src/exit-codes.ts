import { isResellerError, ResellerConnectionError } from '@reseller/client';

/** A call of the command that cannot be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes, by class of error. */
export const EXIT_CODES = {
  unexpected: 1,
  usage: 2,
  validation: 3,
  access: 4,
  notFound: 5,
  conflict: 6,
  business: 7,
  /** Rate limits, outages and lost connections: the same command again may succeed. */
  repeat: 8,
} as const;

const BY_PREFIX: readonly (readonly [string, number])[] = [
  ['VALIDATION_', EXIT_CODES.validation],
  ['UNAUTHORIZED_', EXIT_CODES.access],
  ['FORBIDDEN_', EXIT_CODES.access],
  ['NOT_FOUND_', EXIT_CODES.notFound],
  ['CONFLICT_', EXIT_CODES.conflict],
  ['BUSINESS_', EXIT_CODES.business],
];

/** The exit code that says what kind of error ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_CODES.usage;
  if (error instanceof ResellerConnectionError) return EXIT_CODES.repeat;
  if (!isResellerError(error)) return EXIT_CODES.unexpected;
  const found = BY_PREFIX.find(([prefix]) => error.state.startsWith(prefix));
  return found?.[1] ?? EXIT_CODES.repeat;
}

/** An error for a person: what is wrong, where, and what to do. */
export function explain(error: unknown): string {
  if (!isResellerError(error)) return error instanceof Error ? error.message : String(error);
  const faults = isResellerError(error, 'VALIDATION_FAILED')
    ? error.details.errors.map(({ path, message }) => `\n  ${path} ${message}`)
    : [];
  return `${error.state}: ${error.details.message}${faults.join('')}\n  request id ${error.requestId}`;
}

/** An error as JSON, for programs. */
export function errorAsJson(error: unknown): object {
  if (!isResellerError(error)) return { state: null, message: explain(error) };
  const { state, status, details } = error;
  return { state, status, details };
}
