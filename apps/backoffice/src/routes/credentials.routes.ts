import { presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { presentEnvironment } from '../presenters/partner.presenter';
import { environment, text, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

/** Making and revoking the credentials of partners; identity audits both. */
export function credentialRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/partners/{id}/credentials',
      params: z.object({ id: uuid }),
      body: z.strictObject({ environment }),
      async handle(input) {
        const request = { partnerId: input.params.id, environment: input.body.environment };
        const made = await clients.partners.createCredential(request, callOf(input));
        return {
          clientId: made.clientId,
          clientSecret: made.clientSecret,
          partnerId: made.partnerId,
          environment: presentEnvironment(made.environment),
          createdAt: presentRequiredMoment(made.createdAt, 'created_at'),
        };
      },
    }),
    defineOpsRoute({
      method: 'DELETE',
      path: '/ops/v1/credentials/{clientId}',
      params: z.object({ clientId: text(1, 200) }),
      async handle(input) {
        const revoked = await clients.partners.revokeCredential(
          { clientId: input.params.clientId },
          callOf(input),
        );
        return {
          clientId: revoked.clientId,
          partnerId: revoked.partnerId,
          environment: presentEnvironment(revoked.environment),
          revokedAt: presentRequiredMoment(revoked.revokedAt, 'revoked_at'),
        };
      },
    }),
  ];
}
