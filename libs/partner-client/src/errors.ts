import type { ErrorDetails } from './generated/errors.ts';

/** The state of an error; a later version of the platform may send others. */
export type ErrorState = keyof ErrorDetails;

/** What every error's details hold. */
export interface CommonDetails {
  /** One plain sentence, safe to show. */
  message: string;
  /** Quote it when you write to us. */
  requestId: string;
}

/** What is known of a call that failed. */
export interface FailedCall {
  operation: string;
  /** Sent as X-Request-Id. */
  requestId: string;
  /** How often it was sent. */
  attempts: number;
  /** With which the same call is safe to repeat where nobody knows whether it was done; undefined where it takes none. */
  idempotencyKey: string | undefined;
}

/** The API refused: `state` says why and `details` what to do. */
export class ResellerError<State extends ErrorState = ErrorState> extends Error implements FailedCall {
  override readonly name = 'ResellerError';
  readonly operation: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;

  constructor(
    readonly state: State,
    /** The HTTP status. */
    readonly status: number,
    readonly details: CommonDetails & ErrorDetails[State],
    /** How long to wait before the same request, by Retry-After, in seconds. */
    readonly retryAfterSeconds: number | undefined,
    call: FailedCall,
  ) {
    super(`${state} (${status}) from ${call.operation}: ${details.message} Request id ${details.requestId}.`);
    this.operation = call.operation;
    this.requestId = details.requestId;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
  }
}

/**
 * No response that could be read: the connection failed, or the time was up. Whether the call was done is not known; the
 * same call again, with the same reference or idempotencyKey, is safe and says.
 */
export class ResellerConnectionError extends Error implements FailedCall {
  override readonly name: string = 'ResellerConnectionError';
  readonly operation: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;

  constructor(reason: string, call: FailedCall, cause?: unknown) {
    super(
      `${call.operation}: ${reason} after ${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}. Request id ${call.requestId}.`,
      { cause },
    );
    this.operation = call.operation;
    this.requestId = call.requestId;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
  }
}

type AnyResellerError = { [State in ErrorState]: ResellerError<State> }[ErrorState];

/** Whether an error is a refusal by the API, of one of these states if any are named; narrows `details` to what they hold. */
export function isResellerError<State extends ErrorState = ErrorState>(
  error: unknown,
  ...states: State[]
): error is Extract<AnyResellerError, { state: State }> {
  // By its name: a program may hold this package twice, required and imported, and each has a class of its own.
  const { name, state } = (error ?? {}) as Partial<ResellerError>;
  return name === 'ResellerError' && (states.length === 0 || states.includes(state as State));
}
