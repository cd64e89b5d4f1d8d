import { isAppError, type ErrorCode } from '@reseller/errors';

const CONNECTION_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * A read-only transaction (a standby, a failover), a lock that was not had in time, a session or transaction that took too
 * long. Beside them whole classes: 08 (connection), 53 (disk full, out of memory, too many connections), 57 (a statement
 * cancelled for its time, a server that starts or stops), 58 (the system below failed).
 */
const SERVER_FAULTS = new Set(['25006', '25P03', '25P04', '55P03']);
const FAULT_CLASSES = ['08', '53', '57', '58'];

/** A login that the server refuses, or whose database is not there: between a new password and the restart that brings it. */
const LOGIN_FAULTS = new Set(['28000', '28P01', '3D000']);

/** Not reached, not in time, closed, no connection in time; P2028: no transaction in time, or one that took too long. */
const PRISMA_FAULTS = new Set(['P1001', 'P1002', 'P1017', 'P2024', 'P2028']);

/** Sentences of pg and pg-pool, which put no code on these. */
const DRIVER_SENTENCES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'connection timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Query read timeout',
];

/** What a pool refuses with that cannot be waited for (`refusal`). */
const REFUSED: ErrorCode = 'SERVICE_UNAVAILABLE';

interface Coded {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: unknown;
  originalCode?: unknown;
  driverAdapterError?: unknown;
}

/** The error and what it wraps: Prisma keeps the driver's error in `cause` and in `meta.driverAdapterError`. */
function* chain(error: unknown): Generator<Coded> {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [error];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const coded = next as Coded;
    yield coded;
    waiting.push(coded.cause, coded.driverAdapterError, coded.meta);
    if (next instanceof AggregateError) waiting.push(...(next.errors as unknown[]));
  }
}

/** The SQLSTATE of an error of pg or Prisma, undefined when it carries none. */
export function sqlStateOf(error: unknown): string | undefined {
  for (const { code, originalCode } of chain(error)) {
    for (const state of [originalCode, code]) {
      // Five characters with a digit: Node's codes (EPIPE) have none, Prisma's (P2002) begin with P and a digit.
      if (
        typeof state === 'string' &&
        /^[0-9A-Z]{5}$/.test(state) &&
        /\d/.test(state) &&
        !/^P\d{4}$/.test(state)
      ) {
        return state;
      }
    }
  }
  return prismaState(error);
}

function prismaState(error: unknown): string | undefined {
  for (const { code } of chain(error)) {
    if (code === 'P2002') return '23505';
    if (code === 'P2003') return '23503';
    if (code === 'P2034') return '40001';
  }
  return undefined;
}

/** The constraint that an error of pg or Prisma names, undefined when it names none. */
export function constraintOf(error: unknown): string | undefined {
  for (const { constraint } of chain(error)) {
    if (typeof constraint === 'string') return constraint;
    const index = (constraint as { index?: unknown } | undefined)?.index;
    if (typeof index === 'string') return index;
  }
  for (const { message } of chain(error)) {
    const named = typeof message === 'string' ? /constraint "([^"]+)"/.exec(message)?.[1] : undefined;
    if (named) return named;
  }
  return undefined;
}

function violates(error: unknown, state: string, constraint: string | undefined): boolean {
  return sqlStateOf(error) === state && (constraint === undefined || constraintOf(error) === constraint);
}

/** Whether a unique key refused the write; with a constraint, whether it was that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return violates(error, '23505', constraint);
}

/** Whether a CHECK refused the write; with a constraint, whether it was that one. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return violates(error, '23514', constraint);
}

/** Whether a foreign key refused the write; with a constraint, whether it was that one. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return violates(error, '23503', constraint);
}

/** Whether the transaction lost to another one (serialization failure, deadlock), did nothing, and may run again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

/** Whether the server refused the login of a new connection. */
export function isLoginRefused(error: unknown): boolean {
  return LOGIN_FAULTS.has(sqlStateOf(error) ?? '');
}

/**
 * Whether the database could not be reached, refused the login, gave no connection in time, or cannot do now what it could before (its disk is
 * full, it is read-only, its time is up): a service then returns SERVICE_UNAVAILABLE, for it says nothing against the request.
 * A statement that was running may have been committed all the same.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined)
    return SERVER_FAULTS.has(state) || LOGIN_FAULTS.has(state) || FAULT_CLASSES.includes(state.slice(0, 2));
  for (const one of chain(error)) {
    const { code, message } = one;
    if (typeof code === 'string' && (CONNECTION_FAULTS.has(code) || PRISMA_FAULTS.has(code))) {
      return true;
    }
    // The pool's own refusal, of which Prisma makes an error of its own and keeps the code.
    if (code === REFUSED && !isAppError(one)) return true;
    if (typeof message === 'string' && DRIVER_SENTENCES.some((sentence) => message.includes(sentence)))
      return true;
  }
  return false;
}
