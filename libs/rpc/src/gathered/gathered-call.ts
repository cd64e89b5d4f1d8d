import type { MetadataValue, ServerDuplexStream } from '@grpc/grpc-js';
import type { ReadMetadata } from '../call-metadata';
import type { ServedCall } from '../served-call';

/** The stream that several calls came by. */
export type GatheringStream = ServerDuplexStream<Buffer, Buffer>;

/** One of several calls that came together, as their handlers see it. */
export class GatheredCall implements ServedCall {
  cancelled = false;
  readonly metadata: ReadMetadata;
  /** Its bytes, until they are read. */
  request: unknown;
  /** Where the guard finds the connection, as grpc-js has it in a call of its own. */
  readonly call: unknown;
  private readonly deadlineAt: number;
  private onCancel: (() => void) | undefined;

  constructor(
    private readonly stream: GatheringStream,
    bytes: Buffer,
    headers: Readonly<Record<string, unknown>>,
    timeoutMs: number,
  ) {
    this.request = bytes;
    this.metadata = metadataOf(headers);
    this.call = (stream as { call?: unknown }).call;
    this.deadlineAt = Date.now() + timeoutMs;
  }

  getDeadline(): number {
    return this.deadlineAt;
  }

  getPeer(): string {
    return this.stream.getPeer();
  }

  getAuthContext(): ReturnType<ServedCall['getAuthContext']> {
    return this.stream.getAuthContext();
  }

  once(_event: 'cancelled', listener: () => void): void {
    this.onCancel = listener;
  }

  off(): void {
    this.onCancel = undefined;
  }

  /** Nobody waits for it any more. */
  cancel(): void {
    this.cancelled = true;
    this.onCancel?.();
  }
}

function metadataOf(headers: Readonly<Record<string, unknown>>): ReadMetadata {
  const get = (key: string): MetadataValue[] => {
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
    return typeof value === 'string' ? [value] : [];
  };
  return { get, getMap: () => headers as Record<string, MetadataValue> };
}
