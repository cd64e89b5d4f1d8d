import type { Credential, SignIn } from '@reseller/contracts';
import { isCidr } from '@reseller/errors';
import { presentMoment, presentPage, presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { environment, EXAMPLE_ID, moment, pageOf, pageQuery, text, uuid } from './fields';
import {
  credentialsPage,
  newCredentialResponse,
  revokedCredentialResponse,
  signInsPage,
} from './responses/credentials';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const network = z
  .string()
  .refine(isCidr, 'must be a network such as 203.0.113.0/24')
  .meta({ description: 'A network such as 203.0.113.0/24.' });

const createCredential = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners/{id}/credentials',
  role: 'partners',
  summary: 'Make a credential; its secret is in this response and never again',
  params: z.object({ id: uuid }),
  body: z.strictObject({
    environment,
    expiresAt: moment.refine((at) => at > new Date(), 'must be later than now').nullish(),
    allowedCidrs: z.array(network).max(50, 'must be at most 50 networks').nullish(),
  }),
  response: newCredentialResponse,
  examples: { params: { id: EXAMPLE_ID }, body: { environment: 'sandbox' } },
  async handle({ params, body, call, clients }) {
    const { environment, expiresAt, allowedCidrs } = body;
    const request = {
      ...{ partnerId: params.id, environment },
      ...{ expiresAt: expiresAt ?? undefined, allowedCidrs: allowedCidrs ?? [] },
    };
    const created = await clients.partners.createCredential(request, call);
    return {
      clientId: created.clientId,
      clientSecret: created.clientSecret,
      partnerId: created.partnerId,
      environment: presentEnvironment(created.environment),
      createdAt: presentRequiredMoment(created.createdAt, 'created_at'),
      expiresAt: presentMoment(created.expiresAt),
      allowedCidrs: presentCidrs(created.allowedCidrs),
    };
  },
});

const revokeCredential = defineRoute({
  method: 'DELETE',
  path: '/ops/v1/credentials/{clientId}',
  role: 'partners',
  summary: 'Revoke a credential; its tokens, delegated ones too, are refused within seconds',
  params: z.object({ clientId: text(1, 200) }),
  response: revokedCredentialResponse,
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

const listCredentials = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}/credentials',
  role: 'viewer',
  summary: 'A page of a partner’s credentials, newest first, ended ones too',
  params: z.object({ id: uuid }),
  query: z.object(pageQuery),
  response: credentialsPage,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params, query, call, clients }) {
    const request = { partnerId: params.id, page: pageOf(query) };
    const { credentials, page } = await clients.partners.listCredentials(request, call);
    return presentPage(credentials, page, presentCredential);
  },
});

const listSignIns = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}/sign-ins',
  role: 'viewer',
  summary:
    'A page of the exchanges of a partner’s credentials in the last 90 days, newest first, refused ones too',
  params: z.object({ id: uuid }),
  query: z.object(pageQuery),
  response: signInsPage,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params, query, call, clients }) {
    const request = { partnerId: params.id, page: pageOf(query) };
    const { signIns, page } = await clients.partners.listSignIns(request, call);
    return presentPage(signIns, page, presentSignIn);
  },
});

/** null where any network will do. */
const presentCidrs = (cidrs: string[]): string[] | null => (cidrs.length > 0 ? cidrs : null);

function presentCredential(credential: Credential) {
  return {
    clientId: credential.clientId,
    environment: presentEnvironment(credential.environment),
    createdAt: presentRequiredMoment(credential.createdAt, 'created_at'),
    expiresAt: presentMoment(credential.expiresAt),
    allowedCidrs: presentCidrs(credential.allowedCidrs),
    lastUsedAt: presentMoment(credential.lastUsedAt),
    lastUsedFrom: credential.lastUsedFrom ?? null,
    revokedAt: presentMoment(credential.revokedAt),
  };
}

function presentSignIn(signIn: SignIn) {
  return {
    at: presentRequiredMoment(signIn.at, 'at'),
    clientId: signIn.clientId,
    environment: presentEnvironment(signIn.environment),
    onBehalfOf: signIn.onBehalfOf ?? null,
    result: signIn.result,
    from: signIn.fromAddress ?? null,
    requestId: signIn.requestId,
  };
}

/** Making, listing and revoking the credentials of partners, and what came of using them; identity audits changes. */
export const credentialRoutes: readonly OpsRoute[] = [
  createCredential,
  revokeCredential,
  listCredentials,
  listSignIns,
];
