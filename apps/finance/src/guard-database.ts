import { isDatabaseUnavailable } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { defineRpc, type RpcDefinition, type RpcHandlers, type RpcService } from '@reseller/rpc';

/** A service whose handlers answer SERVICE_UNAVAILABLE, not INTERNAL_ERROR, while the database is away. */
export function defineGuardedRpc<D extends RpcDefinition>(
  definition: D,
  handlers: RpcHandlers<D>,
): RpcService {
  const { name, handlers: open, ...rest } = defineRpc(definition, handlers);
  const guarded = Object.entries(open).map(([method, handle]) => [
    method,
    (request: unknown, call: Parameters<typeof handle>[1]) => handle(request, call).catch(rethrowKnown),
  ]);
  return { ...rest, name, handlers: Object.fromEntries(guarded) as RpcService['handlers'] };
}

function rethrowKnown(error: unknown): never {
  if (isDatabaseUnavailable(error)) throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  throw error;
}
