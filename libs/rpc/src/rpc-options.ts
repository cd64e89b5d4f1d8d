import type { ChannelOptions } from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import type { NoticeLog } from './rpc-log';
import type { RpcSecurity } from './security/rpc-security';

/** Settings of a client; `name` is the peer's name in logs, `defaultDeadlineMs` applies where a call names none. */
export interface RpcClientOptions {
  name: string;
  defaultDeadlineMs: number;
  /** Which lost calls are sent again: those the contract says are safe (the default), or only those that change nothing. */
  retries?: 'idempotent' | 'reads' | undefined;
  /** Given one, every call is observed there by peer, method and code. */
  metrics?: Registry | undefined;
  /** Plain text when left out. */
  security?: RpcSecurity | undefined;
  /** Notified of addresses that stay out of reach. */
  log?: NoticeLog | undefined;
  /** Over the library's own, for tests. */
  channelOptions?: ChannelOptions | undefined;
}

/** What a process gives to each of its clients. */
export type RpcClientWiring = Pick<RpcClientOptions, 'log' | 'metrics' | 'security'>;

/** Settings of one call. */
export interface RpcCallOptions {
  deadlineMs?: number | undefined;
  /** 'never' where the caller retries by itself. */
  retries?: 'never' | undefined;
}
