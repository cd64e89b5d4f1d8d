/** A call, as hooks see it. */
export interface CallInfo {
  operation: string;
  method: string;
  /** With the ids' names in place of the ids, so that it can be a label. */
  path: string;
  requestId: string;
  /** Sent with each attempt; a hook may add its own, such as traceparent. */
  headers: Record<string, string>;
}

/** What came of one attempt. */
export interface AttemptInfo extends CallInfo {
  /** From 1. */
  attempt: number;
  durationMs: number;
  /** The HTTP status; undefined when there was no response. */
  status?: number | undefined;
  /** The response's state. */
  state?: string | undefined;
  /** Why there was no response. */
  error?: unknown;
  /** Until the same request is sent again; undefined when it is not. */
  retryInMs?: number | undefined;
}

/** Where logs, metrics and traces come in. What a hook throws fails the call. */
export interface Hooks {
  /** Runs around each call with its retries: a span, for one. It must return what `run` returns. */
  aroundCall?<T>(call: CallInfo, run: () => Promise<T>): Promise<T>;
  /** After each attempt. */
  onAttempt?(attempt: AttemptInfo): void;
}
