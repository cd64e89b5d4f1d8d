import { CertificationStep, EvidenceType } from '@reseller/contracts';
import { WEBHOOK_CHECK_NAMES, WEBHOOK_CHECK_RESULTS, WEBHOOK_GRADES } from '@reseller/presenters';
import { z } from 'zod';
import { showsWhole } from '../../certification/sight';
import { id, moment } from '../../fields/response-fields';
import { exampleWebhook } from './webhook.resource';

/** What came of trying a receiver out (spec §17.3). */
export const webhookDiagnosis = z
  .strictObject({
    subscriptionId: id('Whose receiver was tried.'),
    startedAt: moment('When it began.'),
    grade: z
      .enum(WEBHOOK_GRADES)
      .meta({ description: 'The worst result of the checks that were not skipped.' }),
    checks: z
      .array(
        z.strictObject({
          name: z.enum(WEBHOOK_CHECK_NAMES).meta({ description: 'What was tried.' }),
          result: z
            .enum(WEBHOOK_CHECK_RESULTS)
            .meta({ description: 'What it came to; Skipped does not apply or could not be tried.' }),
          durationMs: z.int().meta({ description: 'How long it took; 0 when it was skipped.' }),
          message: z
            .string()
            .meta({ description: 'For a person: what was sent, what came, and what to do. It may change.' }),
        }),
      )
      .meta({ description: 'One of each name, always in this order.' }),
  })
  .meta({ id: 'WebhookDiagnosis' });

/** What of a certification a diagnosis shows: a receiver that passes it (spec §17.6). */
export const showsPassed = showsWhole(
  CertificationStep.DIAGNOSIS_PASSED,
  EvidenceType.WEBHOOK_SUBSCRIPTION,
  (payload) => (payload as z.output<typeof webhookDiagnosis>).grade === 'Pass',
);

/** A receiver that believes everybody. */
export const exampleDiagnosis: z.input<typeof webhookDiagnosis> = {
  subscriptionId: exampleWebhook.id,
  startedAt: '2026-01-15T09:30:00.000Z',
  grade: 'Fail',
  checks: [
    { name: 'reachable', result: 'Pass', durationMs: 41, message: 'We connected to your receiver.' },
    {
      name: 'certificate',
      result: 'Pass',
      durationMs: 41,
      message: 'Your certificate is valid for 61 more days.',
    },
    {
      name: 'signed-accepted',
      result: 'Pass',
      durationMs: 38,
      message: 'We sent an example event, signed with your secret: your receiver answered 204.',
    },
    {
      name: 'forged-rejected',
      result: 'Fail',
      durationMs: 36,
      message:
        'We sent an event signed with a secret that is not yours: your receiver answered 204. Whoever knows the url can make you believe in events: verify X-Service-Signature, and answer 400 when it is wrong.',
    },
    {
      name: 'stale-rejected',
      result: 'Pass',
      durationMs: 12,
      message:
        'We sent an event signed with your secret ten minutes ago: your receiver answered 400, so it is not accepted.',
    },
    {
      name: 'repeat-accepted',
      result: 'Pass',
      durationMs: 75,
      message: 'We sent the same eventId twice: your receiver answered 204, then your receiver answered 204.',
    },
    {
      name: 'unknown-type-accepted',
      result: 'Pass',
      durationMs: 35,
      message: 'We sent an event of a type that does not exist yet: your receiver answered 204.',
    },
    { name: 'fast', result: 'Pass', durationMs: 38, message: 'Your slowest 2xx took 38 ms.' },
  ],
};
