import type { ListEventsResponse } from '@reseller/contracts';
import { isFeedCursor } from '@reseller/errors';
import { BESIDE_OTHERS } from '@reseller/http-edge';
import { WEBHOOK_EVENT_TYPES } from '@reseller/presenters';
import { z } from 'zod';
import { showsEvents } from '../../certification/orders-shown';
import { awaitEvents } from '../../events/await-events';
import { queryInteger } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { event, exampleEvent, presentEvent } from './event.resource';

const KNOWN: ReadonlySet<string> = new Set(WEBHOOK_EVENT_TYPES);

const eventTypes = z
  .string()
  .transform((text) => text.split(','))
  .refine((types) => types.every((type) => KNOWN.has(type)), {
    error: `must be one or more of ${WEBHOOK_EVENT_TYPES.join(', ')}, separated by commas`,
  })
  .meta({ description: 'Only events of these types, separated by commas.', example: undefined });

const NO_CURSOR = 'must be a nextCursor of your own events feed';

/** GET /api/v1/events */
export const listEvents = defineRoute({
  method: 'GET',
  path: '/api/v1/events',
  tag: 'Events',
  shows: showsEvents,
  summary: 'Read the events feed',
  description:
    'Every event of yours, whether a webhook is subscribed to it or not, oldest first. Pass each nextCursor on as `after`: so you see every event exactly once. Events are kept for 30 days.',
  query: z
    .object({
      after: z
        .string()
        // To the service an empty one is none.
        .refine((cursor) => cursor !== '', NO_CURSOR)
        .optional()
        .meta({
          description: 'A nextCursor of yours; without it the feed begins with the oldest event kept.',
        }),
      eventType: eventTypes.optional(),
      limit: queryInteger('At most so many events.', { min: 1, max: 100, byDefault: 20 }),
      wait: queryInteger('For how many seconds the response is held back until there is an event.', {
        min: 0,
        max: 20,
        byDefault: 0,
      }),
    })
    .refine(({ after }) => after === undefined || isFeedCursor(after), {
      ...BESIDE_OTHERS,
      path: ['after'],
      error: NO_CURSOR,
    }),
  response: z
    .strictObject({
      items: z.array(event),
      nextCursor: z.string().meta({ description: 'Where to go on; never null.' }),
      hasMore: z.boolean().meta({ description: 'There is more already, of the types you want.' }),
    })
    .meta({ id: 'EventsPage' }),
  errors: ['VALIDATION_CURSOR_EXPIRED'],
  examples: {
    query: { limit: '20' },
    response: { items: [exampleEvent], nextCursor: 'AQAGSHJ_3tZAo2Vt0mKXz9cL', hasMore: false },
  },
  async handle({ query: { after = '', eventType = [], limit, wait }, call, clients, comeBack }) {
    const read = (from: string) =>
      clients.events.listEvents({ after: from, eventTypes: eventType, limit }, call);
    if (wait === 0 || !comeBack) return presentPage(await read(after));
    return awaitEvents(after, {
      feed: clients.feedWatch,
      call,
      waitMs: wait * 1_000,
      read,
      present: presentPage,
      comeBack,
    });
  },
});

const presentPage = ({ events, nextCursor, hasMore }: ListEventsResponse) => ({
  items: events.map(presentEvent),
  nextCursor,
  hasMore,
});
