import type { Registry } from 'prom-client';

/** Settings of a client; `name` is the peer's name in logs, `defaultDeadlineMs` applies where a call names none. */
export interface RpcClientOptions {
  name: string;
  defaultDeadlineMs: number;
  /** Given one, every call is observed there by peer, method and code. */
  metrics?: Registry | undefined;
}

/** Settings of one call. */
export interface RpcCallOptions {
  deadlineMs?: number | undefined;
}
