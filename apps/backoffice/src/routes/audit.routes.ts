import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { presentAuditEntry } from '../presenters/audit.presenter';
import { pageOf, pageQuery, queryMoment, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

/** Reading who did what as whom. */
export function auditRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/audit',
      query: z.object({
        ...pageQuery,
        partnerId: uuid.optional(),
        from: queryMoment.optional(),
        to: queryMoment.optional(),
      }),
      async handle(input) {
        const { partnerId, from, to } = input.query;
        const request = { page: pageOf(input.query), partnerId, fromAt: from, toAt: to };
        const answer = await clients.audit.listAuditEntries(request, callOf(input));
        return presentPage(answer.entries, answer.page, presentAuditEntry);
      },
    }),
  ];
}
