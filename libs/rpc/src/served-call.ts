import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import type { ReadMetadata } from './call-metadata';

/** What is read of a call that is served, whether it came by itself or with others. */
export interface ServedCall extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'cancelled' | 'getAuthContext' | 'getDeadline' | 'getPeer' | 'request'
> {
  readonly metadata: ReadMetadata;
  once(event: 'cancelled', listener: () => void): unknown;
  off(event: 'cancelled', listener: () => void): unknown;
}

/** Serves a call and hands its response, or its error, to the callback. */
export type ServeCall = (call: ServedCall, callback: sendUnaryData<unknown>) => void;
