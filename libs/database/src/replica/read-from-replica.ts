import { defineRpc, mayBeStale, type RpcDefinition, type RpcHandlers, type RpcService } from '@reseller/rpc';
import type { CallContext } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { Replica } from './replica';

type AnyHandler = (request: never, call: CallContext) => Promise<unknown>;

/**
 * Joins a definition with its handlers, as `defineRpc` does; those that the contract says may be stale (bounded_staleness) are served by
 * the handlers over the replica for a caller that accepts it. These have to be the same ones, or the service does not start.
 */
export function readFromReplica<D extends RpcDefinition>(
  definition: D,
  handlers: RpcHandlers<D>,
  replica: Replica | undefined,
  overReplica: (pool: Pool) => Partial<RpcHandlers<D>>,
): RpcService {
  if (!replica) return defineRpc(definition, handlers);
  const declared = Object.entries(definition).flatMap(([name, rpc]) => (mayBeStale(rpc) ? [name] : []));
  const given = overReplica(replica.pool);
  const routed = declared.map((name) => {
    const [onPrimary, onReplica] = [handlers[name], given[name]] as (AnyHandler | undefined)[];
    if (!onPrimary || !onReplica) throw new Error(`${name} may be stale and has no handler over the replica`);
    const handler: AnyHandler = (request, call) =>
      call.acceptsStale
        ? replica.read(
            () => onReplica(request, call),
            () => onPrimary(request, call),
          )
        : onPrimary(request, call);
    return [name, handler] as const;
  });
  return defineRpc(definition, { ...handlers, ...Object.fromEntries(routed) });
}
