/** Settings of a client; `name` is the peer's name in logs, `defaultDeadlineMs` applies where a call names none. */
export interface RpcClientOptions {
  name: string;
  defaultDeadlineMs: number;
}

/** Settings of one call. */
export interface RpcCallOptions {
  deadlineMs?: number | undefined;
}
