import type { Registry } from 'prom-client';
import type { RpcSecurity } from './security/rpc-security';

/** Settings of a client; `name` is the peer's name in logs, `defaultDeadlineMs` applies where a call names none. */
export interface RpcClientOptions {
  name: string;
  defaultDeadlineMs: number;
  /** Given one, every call is observed there by peer, method and code. */
  metrics?: Registry | undefined;
  /** Plain text when left out. */
  security?: RpcSecurity | undefined;
}

/** What a process gives to each of its clients. */
export type RpcClientWiring = Pick<RpcClientOptions, 'metrics' | 'security'>;

/** Settings of one call. */
export interface RpcCallOptions {
  deadlineMs?: number | undefined;
}
