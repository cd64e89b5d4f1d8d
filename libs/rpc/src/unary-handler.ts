import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';
import { AppError, ERROR_CATALOGUE, isAppError } from '@reseller/errors';
import type { CallContext } from './call-context';
import { fromMetadata } from './call-metadata';
import { splitPath, type UntypedHandler } from './definition';
import { toStatus } from './error-trailer';
import type { RpcLog } from './rpc-log';
import type { RpcHistogram } from './rpc-metrics';
import { startServerSpan } from './rpc-span';

/** Wraps a promise-shaped handler for grpc-js: context in, catalogue errors out, one place that hides unknown faults. */
export function unaryHandler(
  path: string,
  handler: UntypedHandler,
  log: RpcLog,
  histogram: RpcHistogram | undefined,
): handleUnaryCall<unknown, unknown> {
  const names = splitPath(path);
  return (grpcCall, callback) => {
    const startedAt = performance.now();
    const { call, release } = contextOf(grpcCall);
    const span = startServerSpan(path, grpcCall.metadata);
    const finish = (code: string): void => {
      release();
      histogram?.observe({ ...names, code }, (performance.now() - startedAt) / 1000);
      span.end(code);
    };
    span
      .run(() => invoke(handler, grpcCall.request, call))
      .then(
        (response) => {
          finish('OK');
          callback(null, response);
        },
        (thrown: unknown) => {
          const error = toAppError(thrown, path, call, log);
          finish(error.code);
          callback(toStatus(error));
        },
      );
  };
}

// Also a handler that throws before its first await must become a rejection.
async function invoke(handler: UntypedHandler, request: unknown, call: CallContext): Promise<unknown> {
  return handler(request, call);
}

function contextOf(grpcCall: ServerUnaryCall<unknown, unknown>): { call: CallContext; release: () => void } {
  const call = fromMetadata(grpcCall.metadata);
  const deadline = grpcCall.getDeadline();
  const deadlineAt = deadline instanceof Date ? deadline.getTime() : deadline;
  if (Number.isFinite(deadlineAt)) call.deadlineAt = deadlineAt;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  // grpc-js emits it when the caller cancels, when the deadline passes, and also after each answer, which is no abort.
  grpcCall.once('cancelled', abort);
  call.signal = controller.signal;
  return { call, release: () => grpcCall.off('cancelled', abort) };
}

function toAppError(thrown: unknown, path: string, call: CallContext, log: RpcLog): AppError {
  const fields = { requestId: call.requestId, rpc: path, err: thrown };
  if (!isAppError(thrown)) {
    log.error(fields, 'unexpected fault in an RPC handler');
    return new AppError('INTERNAL_ERROR');
  }
  if (thrown.code === 'INTERNAL_ERROR') log.error(fields, 'RPC failed');
  else if (ERROR_CATALOGUE[thrown.code].status >= 500) log.warn(fields, 'RPC failed');
  return thrown;
}
