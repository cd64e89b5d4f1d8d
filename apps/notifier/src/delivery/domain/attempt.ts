/** Why an attempt failed, in the words partners see (spec §10.6). */
export type ErrorSummary = 'Timeout' | 'Connection failed' | 'Destination rejected' | 'Delivery failed';

/** What one request to a receiver came to; without an error summary a 2xx response was received. */
export interface AttemptResult {
  /** Null when there was no complete response. */
  responseStatus: number | null;
  /** Whole milliseconds from the look-up to the response or the failure. */
  durationMs: number;
  errorSummary: ErrorSummary | null;
  /** There when this process had no descriptor or memory left for it: nothing was sent, and nothing is wrong with the receiver. */
  isOwnFault?: true;
}

/** The result of a response with this status: 2xx is success, anything else is not (the body is never looked at). */
export function resultOfResponse(responseStatus: number, durationMs: number): AttemptResult {
  const isSuccess = responseStatus >= 200 && responseStatus <= 299;
  return { responseStatus, durationMs, errorSummary: isSuccess ? null : 'Delivery failed' };
}
