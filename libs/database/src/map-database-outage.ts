import { AppError } from '@reseller/errors';
import type { RpcService } from '@reseller/rpc';
import { isDatabaseUnavailable, isRetryable } from './database-errors';

/** The same service, whose callers get SERVICE_UNAVAILABLE, and so to come again, for what is the database's fault. */
export function mapDatabaseOutage(service: RpcService): RpcService {
  const handlers = Object.entries(service.handlers).map(([name, handler]) => {
    const guarded: typeof handler = async (request, call) => {
      try {
        return await handler(request, call);
      } catch (error) {
        // A transaction that lost to others every time did nothing, and may be tried again.
        if (isDatabaseUnavailable(error) || isRetryable(error))
          throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
        throw error;
      }
    };
    return [name, guarded] as const;
  });
  return { ...service, handlers: Object.fromEntries(handlers) };
}
