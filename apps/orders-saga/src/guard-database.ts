import { isDatabaseUnavailable } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { RpcService } from '@reseller/rpc';

/** The same service; while the database is away its callers hear SERVICE_UNAVAILABLE, and so come again. */
export function guardDatabase(service: RpcService): RpcService {
  const guarded = Object.entries(service.handlers).map(([name, handler]) => {
    const guard: typeof handler = async (request, call) => {
      try {
        return await handler(request, call);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
        throw error;
      }
    };
    return [name, guard] as const;
  });
  return { ...service, handlers: Object.fromEntries(guarded) };
}
