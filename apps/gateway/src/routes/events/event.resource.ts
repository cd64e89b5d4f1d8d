import type { PublicEvent } from '@reseller/contracts';
import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { z } from 'zod';
import { id, moment } from '../../fields/response-fields';
import { MAY_GROW } from '../../openapi/may-grow';
import { pascal } from '../../openapi/names';
import { EXAMPLE_PARTNER_ID } from '../examples';

/** The name of an event's form in the reference. */
export const eventFormOf = (eventType: string): string => `${pascal(eventType)}Event`;

const eventOf = ({ name, schema, description }: (typeof WEBHOOK_EVENTS)[number]) =>
  z
    .strictObject({
      eventId: id('The event; the same in the feed and in every webhook.'),
      eventType: z.literal(name),
      occurredAt: moment('When the change was written.'),
      data: schema,
    })
    .meta({ id: eventFormOf(name), description });

const [first, ...others] = WEBHOOK_EVENTS;

/** A public event as webhooks carry it: the same envelope, the same values. */
export const event = z
  .discriminatedUnion('eventType', [eventOf(first), ...others.map(eventOf)])
  .meta({ id: 'Event', description: 'What happened, exactly as a webhook says it.', ...MAY_GROW });

/** The event as it is stored: the text that webhooks send. */
export const presentEvent = ({ body }: PublicEvent): z.input<typeof event> =>
  JSON.parse(body) as z.input<typeof event>;

/** An order that is done. */
export const exampleEvent = {
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: first.name,
  occurredAt: '2026-01-15T09:30:00.412Z',
  data: first.example(EXAMPLE_PARTNER_ID).data,
};
