import type { ServiceError } from '@grpc/grpc-js';
import { AppError, isAppError } from '@reseller/errors';
import type { CallContext } from './call-context';
import { toHeaders } from './call-metadata';
import { splitPath, type RpcMethod } from './definition';
import { fromServiceError, unreachable } from './error-trailer';
import { queueDelay } from './load/queue-delay';
import { retriesOf } from './retries';
import type { RpcChannel } from './rpc-channel';
import { rpcClientHistogram } from './rpc-metrics';
import type { RpcCallOptions, RpcClientOptions } from './rpc-options';
import { sendStream } from './send-stream';
import { startClientSpan } from './rpc-span';

/** A client's method whose types createRpcClient restores. */
type UntypedMethod = (request: never, call: CallContext, options?: RpcCallOptions) => Promise<unknown>;

/** One method of a client: sends under the earlier of its own and the caller's deadline, again only where that is safe. */
export function unaryMethod(channel: RpcChannel, method: RpcMethod): UntypedMethod {
  const { options: client } = channel;
  const observe = callObserver(method.path, client);
  const retries = retriesOf(method, client, channel.budget);
  return async (request, call, options) => {
    const ownDeadline = Date.now() + (options?.deadlineMs ?? client.defaultDeadlineMs);
    const deadline = Math.min(ownDeadline, call.deadlineAt ?? Infinity);
    const { signal } = call;
    if (signal?.aborted) throw unreachable(client.name, `${method.path}: the caller had given up before`);
    if (!(deadline > Date.now()))
      throw unreachable(client.name, `${method.path}: there was no time left for it`);
    const headers = toHeaders(call);
    const span = startClientSpan(method.path, headers);
    const startedAt = performance.now();
    const finish = (code: string): void => {
      observe(code, (performance.now() - startedAt) / 1_000);
      span.end(code);
    };
    const onQueued = (ms: number): void => hearOfQueue(ms, call, client);
    try {
      const sending = { method, headers, deadline, signal, onQueued };
      const once = (): Promise<unknown> => channel.sender.send({ ...sending, request });
      // A stream is gone once it was sent, so that there is nothing to repeat.
      const response = method.requestStream
        ? await sendStream(channel.client.getChannel(), { ...sending, requests: request })
        : await retries.run(once, deadline, signal, options?.retries === 'never');
      finish('OK');
      const { isReplayed, isNew } = response as { isReplayed?: boolean; isNew?: boolean };
      if (isReplayed) call.isReplayed = true;
      if (isNew) call.isNew = true;
      return response;
    } catch (error) {
      const appError = toAppError(error, client.name, method.path, channel.trouble);
      finish(appError.code);
      throw appError;
    }
  };
}

/** Counts the calls of one method; a code's series is looked up once. */
function callObserver(
  path: string,
  { name, metrics }: RpcClientOptions,
): (code: string, seconds: number) => void {
  if (!metrics) return () => undefined;
  const histogram = rpcClientHistogram(metrics);
  const { service, method } = splitPath(path);
  const series = new Map<string, { observe(seconds: number): void }>();
  return (code, seconds) => {
    let one = series.get(code);
    if (!one) series.set(code, (one = histogram.labels(name, service, method, code)));
    one.observe(seconds);
  };
}

/** What stands in line at a dependency stands in line for whoever called us, too. */
function hearOfQueue(ms: number, call: CallContext, { name }: RpcClientOptions): void {
  call.queuedMs = Math.max(call.queuedMs ?? 0, ms);
  queueDelay.note(name, ms);
}

function toAppError(error: unknown, peer: string, path: string, trouble: string): AppError {
  // Of the source of a stream.
  if (isAppError(error)) return error;
  if (isServiceError(error)) return fromServiceError(error, peer, path, trouble);
  return new AppError('INTERNAL_ERROR', {}, { cause: error });
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'metadata' in error;
}
