import { AppError, ERROR_CATALOGUE, isAppError } from '@reseller/errors';
import { withLogFields } from '@reseller/telemetry';
import type { CallContext } from './call-context';
import { fromMetadata } from './call-metadata';
import { CallUnderWay, deadlineOf, type CallLimits } from './call-under-way';
import { policyOf, splitPath, type RpcMethod, type UntypedHandler } from './definition';
import { toStatus } from './error-trailer';
import { queueDelay } from './load/queue-delay';
import { runAsRead } from './load/read-under-way';
import { withQueued } from './load/queued-trailer';
import type { RpcLog } from './rpc-log';
import type { RpcHistogram } from './rpc-metrics';
import { startServerSpan } from './rpc-span';
import { admissionOf } from './security/admission';
import type { CallerGuard } from './security/caller-guard';
import type { ServeCall, ServedCall } from './served-call';

/** What the handlers of one server share. */
export interface ServerScope extends CallLimits {
  readonly log: RpcLog;
  readonly histogram: RpcHistogram | undefined;
  /** So many calls at once; one more is refused at once (spec §14.2). */
  readonly maxUnderWay: number;
  /** Undefined in plain text, where nobody shows who they are. */
  readonly guard: CallerGuard | undefined;
}

/** Wraps a promise-shaped handler for grpc-js: context in, catalogue errors out, one place that hides unknown faults. */
export function unaryHandler(rpc: RpcMethod, handler: UntypedHandler, scope: ServerScope): ServeCall {
  const { path } = rpc;
  const admission = scope.guard && admissionOf(rpc, scope.guard);
  const { service, method } = splitPath(path);
  const isRead = policyOf(rpc).idempotency === 'NO_SIDE_EFFECTS';
  const observe = (code: string, seconds: number): void =>
    scope.histogram?.observe({ rpc_service: service, method, code }, seconds);
  const overload = (callback: Parameters<ServeCall>[1]): void => {
    observe('SERVICE_UNAVAILABLE', 0);
    callback(withQueued(toStatus(new AppError('SERVICE_UNAVAILABLE'))));
  };
  const handle: ServeCall = (grpcCall, callback) => {
    // Before who it is: of a connection that has gone no certificate can be read.
    if (isOver(grpcCall)) return overload(callback);
    const refused = admission?.refuse(grpcCall);
    if (refused) {
      scope.log.warn({ rpc: path, peer: grpcCall.getPeer(), reason: refused.details }, 'RPC refused');
      observe('REFUSED', 0);
      callback(refused);
      return;
    }
    if (scope.underWay.size >= scope.maxUnderWay) return overload(callback);
    const startedAt = performance.now();
    const controller = new AbortController();
    const said = contextOf(grpcCall, controller.signal, scope.unstatedDeadlineMs);
    const call = admission ? admission.believe(grpcCall, said) : said;
    const span = startServerSpan(path, grpcCall.metadata);
    const served = new CallUnderWay(grpcCall, callback, controller, scope, (code) => {
      observe(code, (performance.now() - startedAt) / 1000);
      span.end(code);
    });
    const serve = (): Promise<unknown> => invoke(handler, grpcCall.request, call, { path, log: scope.log });
    span
      .run(() =>
        withLogFields({ requestId: call.requestId }, () => (isRead ? runAsRead(call, serve) : serve())),
      )
      .then(
        (response) => served.succeed(response),
        (error: AppError) => served.fail(error),
      );
  };
  return (grpcCall, callback) => {
    const isBehind = queueDelay.isBehind;
    queueDelay.watch();
    // What came in while the process stood still is read in one go: two turns later it is known which of it was cancelled since.
    if (isBehind) setImmediate(() => setImmediate(handle, grpcCall, callback));
    else handle(grpcCall, callback);
  };
}

// Also a handler that throws before its first await must become a rejection; what is logged is logged within the call.
async function invoke(
  handler: UntypedHandler,
  request: unknown,
  call: CallContext,
  { path, log }: { path: string; log: RpcLog },
): Promise<unknown> {
  try {
    const response = await handler(request, call);
    log.debug({ rpc: path, code: 'OK' }, 'RPC served');
    return response;
  } catch (thrown) {
    const error = toAppError(thrown, path, call, log);
    log.debug({ rpc: path, code: error.code }, 'RPC served');
    throw error;
  }
}

function contextOf(grpcCall: ServedCall, signal: AbortSignal, unstatedDeadlineMs: number): CallContext {
  const call = fromMetadata(grpcCall.metadata);
  call.deadlineAt = deadlineOf(grpcCall) ?? Date.now() + unstatedDeadlineMs;
  call.signal = signal;
  return call;
}

/** Whether the call's caller has gone or its deadline has passed while it waited to be taken up. */
function isOver(grpcCall: ServedCall): boolean {
  return grpcCall.cancelled || (deadlineOf(grpcCall) ?? Infinity) <= Date.now();
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
