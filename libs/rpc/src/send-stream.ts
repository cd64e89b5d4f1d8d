import { Metadata, status, type ChannelInterface, type ServiceError } from '@grpc/grpc-js';
import { metadataOf, type CallHeaders } from './call-metadata';
import type { RpcMethod } from './definition';
import { queuedOf } from './load/queued-trailer';

/** What a call whose request is a stream of messages consists of. */
interface StreamToSend {
  readonly method: RpcMethod;
  readonly requests: AsyncIterable<never>;
  readonly headers: CallHeaders;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Called with how long work stood in line at the service, where it said so. */
  readonly onQueued: (ms: number) => void;
}

/**
 * Sends the messages one after the other, each when the connection has taken the one before, and resolves with the response; rejects with a
 * ServiceError, or with what the messages' own source threw. Once the service has responded no further message is taken from the source.
 */
export function sendStream(channel: ChannelInterface, stream: StreamToSend): Promise<unknown> {
  const { method, requests, headers, deadline, signal, onQueued } = stream;
  return new Promise((resolve, reject) => {
    const wire = channel.createCall(method.path, deadline, null, null, null);
    let response: Buffer | undefined;
    let hasEnded = false;
    let goOn: (() => void) | undefined;
    const giveUp = (): void => wire.cancelWithStatus(status.CANCELLED, 'Cancelled on client');
    const end = (code: status, details: string, metadata = new Metadata()): void => {
      hasEnded = true;
      signal?.removeEventListener('abort', giveUp);
      goOn?.();
      const queuedMs = queuedOf(metadata);
      if (queuedMs !== undefined) onQueued(queuedMs);
      if (code !== status.OK) return reject(serviceError(code, details, metadata));
      if (!response) return reject(serviceError(status.INTERNAL, 'No message received', metadata));
      resolve(method.responseDeserialize(response));
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    wire.start(metadataOf(headers), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (message: Buffer) => void (response = message),
      onReceiveStatus: ({ code, details, metadata }) => end(code, details, metadata),
    });
    wire.startRead();
    const taken = (bytes: Buffer): Promise<void> =>
      new Promise((sent) => {
        goOn = sent;
        wire.sendMessageWithContext({ callback: () => sent() }, bytes);
      });
    const sendAll = async (): Promise<void> => {
      for await (const request of requests) {
        if (hasEnded) return;
        await taken(method.requestSerialize(request));
        if (hasEnded) return;
      }
      wire.halfClose();
    };
    sendAll().catch((error: unknown) => {
      reject(error as Error);
      giveUp();
    });
  });
}

const serviceError = (code: status, details: string, metadata: Metadata): ServiceError =>
  Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata });
