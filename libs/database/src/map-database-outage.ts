import { AppError } from '@reseller/errors';
import type { RpcService } from '@reseller/rpc';
import { isDatabaseUnavailable } from './database-errors';

/** The same service, whose callers get SERVICE_UNAVAILABLE, and so to come again, while the database is away. */
export function mapDatabaseOutage(service: RpcService): RpcService {
  const handlers = Object.entries(service.handlers).map(([name, handler]) => {
    const guarded: typeof handler = async (request, call) => {
      try {
        return await handler(request, call);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
        throw error;
      }
    };
    return [name, guarded] as const;
  });
  return { ...service, handlers: Object.fromEntries(handlers) };
}
