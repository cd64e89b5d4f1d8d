import type { EventServiceService, PublicEvent } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { isUuid, partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { FeedRepository, StoredEvent } from './feed.repository';
import { listEvents } from './list-events';

/** The feed as partners read it. */
export function createEventHandlers(feed: FeedRepository): RpcHandlers<typeof EventServiceService> {
  return {
    async listEvents({ after, eventTypes, limit }, call) {
      const query = { after, types: eventTypes, limit };
      const page = await listEvents(feed, partnerScopeOf(call), query, call);
      const { nextCursor, hasMore, position } = page;
      return {
        events: page.events.map(toPublicEvent),
        nextCursor,
        hasMore,
        position: position.toString(),
      };
    },
    async getEvent({ eventId }, call) {
      const owner = partnerScopeOf(call);
      const event = isUuid(eventId) ? await feed.find(owner, eventId) : undefined;
      if (!event) throw new AppError('NOT_FOUND_EVENT');
      return { event: toPublicEvent(event) };
    },
  };
}

const toPublicEvent = ({ eventId, body }: StoredEvent): PublicEvent => ({
  eventId,
  body: body.toString('utf8'),
});
