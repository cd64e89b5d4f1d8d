import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { EXAMPLE_PARTNER_ID } from '../routes/examples';
import { eventFormOf, exampleEvent } from '../routes/events/event.resource';
import type { CHAPTERS } from './chapters';
import { pascal } from './names';

const signed = z.object({
  'X-Service-Signature': z.string().meta({
    description:
      'sha256= and the HMAC-SHA256 of timestamp, dot and raw body under the subscription’s secret, in hex.',
  }),
  'X-Service-Timestamp': z
    .string()
    .meta({ description: 'Seconds since 1970; refuse what is older than five minutes.' }),
  'X-Service-Event-Id': z.string().meta({ description: 'The eventId: the same event may come again.' }),
  'X-Service-Event-Type': z.string().meta({ description: 'The eventType.' }),
  'X-Service-Test': z
    .string()
    .optional()
    .meta({ description: 'true on what test-fire and a diagnosis send, and absent otherwise.' }),
});

/** What is sent to a subscription's url, for each event; the receiver library checks it. */
export const webhooks: ZodOpenApiPathsObject = Object.fromEntries(
  WEBHOOK_EVENTS.map(({ name, description, example }) => [
    name,
    {
      post: {
        operationId: `on${pascal(name)}`,
        // Not the calls' own: generators write a file for each tag, of webhooks over that of calls.
        tags: ['Webhook events' satisfies keyof typeof CHAPTERS],
        summary: name,
        description,
        security: [],
        requestParams: { header: signed },
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${eventFormOf(name)}` },
              example: { ...exampleEvent, eventType: name, data: example(EXAMPLE_PARTNER_ID).data },
            },
          },
        },
        responses: {
          '2XX': {
            description: 'Received. Anything else, or nothing within ten seconds, and it is sent again.',
          },
        },
      },
    },
  ]),
);
