import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import type { CallHeaders } from '../call-metadata';
import type { RpcMethod } from '../definition';

/** What one attempt to send a call consists of. */
export interface CallToSend {
  readonly method: RpcMethod;
  readonly request: never;
  readonly headers: CallHeaders;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Called with how long work stood in line at the service, where it said so. */
  readonly onQueued: (ms: number) => void;
}

/** How a call ends that its caller gives up. */
export const GIVEN_UP = { code: status.CANCELLED, details: 'Cancelled on client' } as const;

/** One call on its way, alone or with others: ends once, with its response or a ServiceError. */
export class OutgoingCall {
  readonly bytes: Buffer;
  readonly response: Promise<unknown>;
  private resolve!: (response: unknown) => void;
  private reject!: (error: unknown) => void;
  private onAbort: (() => void) | undefined;
  private hasEnded = false;

  constructor(private readonly call: CallToSend) {
    this.bytes = call.method.requestSerialize(call.request);
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get path(): string {
    return this.call.method.path;
  }

  get headers(): CallHeaders {
    return this.call.headers;
  }

  get deadline(): number {
    return this.call.deadline;
  }

  /** Ends it when its caller gave up before it was sent; says whether it did. */
  isOver(): boolean {
    if (this.call.signal?.aborted) this.fail(GIVEN_UP);
    return this.hasEnded;
  }

  /** From now on its caller's giving up is passed on. */
  whenGivenUp(cancel: () => void): void {
    this.stopListening();
    this.onAbort = cancel;
    this.call.signal?.addEventListener('abort', cancel, { once: true });
  }

  succeed(response: Buffer, queuedMs: number | undefined): void {
    if (!this.end(queuedMs)) return;
    try {
      this.resolve(this.call.method.responseDeserialize(response));
    } catch (error) {
      this.reject(serviceError({ code: status.INTERNAL, details: `unreadable response: ${String(error)}` }));
    }
  }

  fail(ended: Pick<StatusObject, 'code' | 'details'> & Partial<StatusObject>, queuedMs?: number): void {
    if (this.end(queuedMs)) this.reject(serviceError(ended));
  }

  /** Ends it with what was thrown when it was to be sent. */
  crash(error: unknown): void {
    if (this.end(undefined)) this.reject(error);
  }

  private end(queuedMs: number | undefined): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    this.stopListening();
    if (queuedMs !== undefined) this.call.onQueued(queuedMs);
    return true;
  }

  private stopListening(): void {
    if (this.onAbort) this.call.signal?.removeEventListener('abort', this.onAbort);
  }
}

function serviceError({
  code,
  details,
  metadata = new Metadata(),
}: Pick<StatusObject, 'code' | 'details'> & Partial<StatusObject>): ServiceError {
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata });
}
