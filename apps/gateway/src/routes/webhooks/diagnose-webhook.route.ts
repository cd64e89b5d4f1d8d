import { HeldPayload } from '@reseller/http-edge';
import { presentWebhookDiagnosis } from '@reseller/presenters';
import { z } from 'zod';
import { noBody } from '../../fields/request-fields';
import { defineRoute, SENT_ONCE } from '../route';
import { exampleDiagnosis, showsPassed, webhookDiagnosis } from './diagnosis.resource';
import { exampleWebhook, subscriptionPath } from './webhook.resource';

/** The diagnosis itself takes up to 30 s (spec §17.3). */
const DIAGNOSE_DEADLINE_MS = 35_000;

/** A client's own deadline is shorter. */
const ONCE = { ...SENT_ONCE, deadlineMs: DIAGNOSE_DEADLINE_MS };

/** POST /api/v1/webhooks/{id}/diagnose */
export const diagnoseWebhook = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/diagnose',
  tag: 'Webhooks',
  shows: showsPassed,
  summary: 'Try your receiver out',
  description:
    'Sends your receiver what a careless and a hostile world would send it, with X-Service-Test: true, and says what it made of each. ' +
    'It takes up to 30 seconds, works on a paused subscription, and is not in the delivery log. One at a time for a subscription.',
  params: z.object(subscriptionPath),
  body: noBody,
  response: webhookDiagnosis,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  deadlineMs: DIAGNOSE_DEADLINE_MS,
  examples: { params: { id: exampleWebhook.id }, body: {}, response: exampleDiagnosis },
  handle({ params, call, clients }) {
    // Sent once: sent again it would meet its own first attempt. What it waits for is the receiver, so it takes no place from others.
    const reply = clients.webhookDiagnoses.diagnoseWebhook({ subscriptionId: params.id }, call, ONCE);
    const present = async () => presentWebhookDiagnosis((await reply).diagnosis);
    return Promise.resolve(new HeldPayload(reply, present));
  },
});
