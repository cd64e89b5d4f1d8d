import { expect, partnerService, reads, rpc } from '../prelude';
import type { Message, World } from '../prelude';
import { receiver, subscribed } from './arrange';

const resultsOf = ({ checks }: Message): unknown[] =>
  (checks as Message[]).map(({ name, result }) => [name, result]);

const diagnosed = async (world: World) => {
  const { partner, request } = await subscribed(world);
  return [partner, await partner.get('DiagnoseWebhook', request)] as const;
};

/** What is found out about a partner's receiver (spec §17.3). */
export const diagnoses = partnerService('WebhookDiagnosisService', {
  DiagnoseWebhook: rpc(subscribed, {
    'sends five tests, grades the receiver by them, leaves no delivery': async (use, given) => {
      const { partner, request, path } = given;
      await partner.call('SetWebhookActive', { ...request, is_active: false });
      const diagnosis = await partner.get(use.rpc, request);
      const sent = await receiver.got(path, 5);
      expect(sent.map(({ headers }) => headers['x-service-test'])).toEqual(Array(5).fill('true'));
      expect(await partner.list('ListWebhookDeliveries', request)).toEqual([]);
      return { grade: diagnosis.grade, results: resultsOf(diagnosis) };
    },
    'RATE_LIMITED: a second one while one is under way': (_, { call }) =>
      Promise.all([1, 2, 3].map(() => call())),
  }),
  GetWebhookDiagnosis: reads(diagnosed, {
    'NOT_FOUND_WEBHOOK_DIAGNOSIS: before the first': async (use, { partner, call }) =>
      call((await subscribed(use, { partner })).request),
  }),
});
