import { z } from 'zod';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { event, exampleEvent, presentEvent } from './event.resource';

/** GET /api/v1/events/{eventId} */
export const getEvent = defineRoute({
  method: 'GET',
  path: '/api/v1/events/{eventId}',
  tag: 'Events',
  summary: 'Read an event',
  description: 'One event of yours, for as long as events are kept.',
  params: z.object({ eventId: uuid('The eventId of a webhook or of the feed.') }),
  response: event,
  errors: ['NOT_FOUND_EVENT'],
  examples: { params: { eventId: exampleEvent.eventId }, response: exampleEvent },
  async handle({ params, call, clients }) {
    const { event: found } = await clients.events.getEvent(params, call);
    return presentEvent(required(found));
  },
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('notifier returned no event');
  return value;
}
