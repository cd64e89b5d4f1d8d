import { Metadata, status, type ServerUnaryCall, type StatusObject } from '@grpc/grpc-js';
import type { CallerGuard } from './security/caller-guard';

/** Why a caller is not let in, in words for the log of both sides; undefined when it is. */
export function unadmitted(
  call: ServerUnaryCall<unknown, unknown>,
  path: string,
  guard: CallerGuard,
): StatusObject | undefined {
  const apps = guard.appsOf(call);
  if (!apps) {
    const details = `${path} needs a client certificate of this installation's authority: none was shown, or it has expired, or another authority issued it`;
    return { code: status.UNAUTHENTICATED, details, metadata: new Metadata() };
  }
  return undefined;
}
