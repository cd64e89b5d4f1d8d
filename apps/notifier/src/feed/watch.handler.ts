import { Environment, type EventWatchServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import type { FeedMoves } from './feed-moves';

/** Says to gateways which feeds have moved. */
export function createWatchHandlers(moves: FeedMoves): RpcHandlers<typeof EventWatchServiceService> {
  return {
    async awaitFeedMoves({ seen, waitMs }, call) {
      const since = await moves.since(seen, waitMs, call.signal);
      return {
        seen: since.seen,
        moves: since.moves.map(({ partnerId, environment, position }) => ({
          partnerId,
          environment: environment === 'live' ? Environment.LIVE : Environment.SANDBOX,
          position,
        })),
      };
    },
  };
}
