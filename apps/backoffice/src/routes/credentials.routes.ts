import { presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { environment, EXAMPLE_ID, text, uuid } from './fields';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const createCredential = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners/{id}/credentials',
  role: 'partners',
  summary: 'Make a credential; its secret is in this response and never again',
  params: z.object({ id: uuid }),
  body: z.strictObject({ environment }),
  examples: { params: { id: EXAMPLE_ID }, body: { environment: 'sandbox' } },
  async handle({ params, body, call, clients }) {
    const request = { partnerId: params.id, environment: body.environment };
    const created = await clients.partners.createCredential(request, call);
    return {
      clientId: created.clientId,
      clientSecret: created.clientSecret,
      partnerId: created.partnerId,
      environment: presentEnvironment(created.environment),
      createdAt: presentRequiredMoment(created.createdAt, 'created_at'),
    };
  },
});

const revokeCredential = defineRoute({
  method: 'DELETE',
  path: '/ops/v1/credentials/{clientId}',
  role: 'partners',
  summary: 'Revoke a credential',
  params: z.object({ clientId: text(1, 200) }),
  examples: { params: { clientId: 'acme-sandbox' } },
  async handle({ params, call, clients }) {
    const revoked = await clients.partners.revokeCredential({ clientId: params.clientId }, call);
    return {
      clientId: revoked.clientId,
      partnerId: revoked.partnerId,
      environment: presentEnvironment(revoked.environment),
      revokedAt: presentRequiredMoment(revoked.revokedAt, 'revoked_at'),
    };
  },
});

/** Making and revoking the credentials of partners; identity audits both. */
export const credentialRoutes: readonly OpsRoute[] = [createCredential, revokeCredential];
