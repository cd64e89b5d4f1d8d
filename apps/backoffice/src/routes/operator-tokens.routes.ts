import type { OperatorToken } from '@reseller/contracts';
import { present, presentMoment, presentPage, presentRequiredMoment } from '@reseller/presenters';
import { OPERATOR_ROLE_NAMES, operatorRoleNameOf, operatorRoleOf } from '@reseller/rpc';
import { z } from 'zod';
import { EXAMPLE_ID, moment, pageOf, pageQuery, printable, uuid } from './fields';
import {
  newOperatorTokenResponse,
  operatorTokenResponse,
  operatorTokensPage,
} from './responses/operator-tokens';
import { defineRoute, type OpsRoute } from './route';

const createOperatorToken = defineRoute({
  method: 'POST',
  path: '/ops/v1/operator-tokens',
  role: 'admin',
  summary: 'Make a token for a program; it is in this response and never again',
  body: z.strictObject({
    name: printable(100),
    roles: z
      .array(z.enum(OPERATOR_ROLE_NAMES))
      .max(OPERATOR_ROLE_NAMES.length)
      .min(1, 'must name one or more roles')
      .refine((roles) => new Set(roles).size === roles.length, 'must name each role once')
      .meta({ uniqueItems: true }),
    expiresAt: moment.refine((at) => at > new Date(), 'must be later than now').nullish(),
  }),
  response: newOperatorTokenResponse,
  examples: { body: { name: 'nightly reconciliation', roles: ['support'] } },
  async handle({ body: { name, roles, expiresAt }, call, clients }) {
    const request = { name, roles: roles.map(operatorRoleOf), expiresAt: expiresAt ?? undefined };
    const { operatorToken, token } = await clients.operators.createOperatorToken(request, call);
    return { ...presentToken(operatorToken), token };
  },
});

const listOperatorTokens = defineRoute({
  method: 'GET',
  path: '/ops/v1/operator-tokens',
  role: 'admin',
  summary: 'A page of tokens, newest first, revoked ones too',
  query: z.object(pageQuery),
  response: operatorTokensPage,
  async handle({ query, call, clients }) {
    const { operatorTokens, page } = await clients.operators.listOperatorTokens(
      { page: pageOf(query) },
      call,
    );
    return presentPage(operatorTokens, page, presentToken);
  },
});

const revokeOperatorToken = defineRoute({
  method: 'DELETE',
  path: '/ops/v1/operator-tokens/{id}',
  role: 'admin',
  summary: 'Revoke a token; it is refused from then on',
  params: z.object({ id: uuid }),
  response: operatorTokenResponse,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params, call, clients }) {
    return presentToken((await clients.operators.revokeOperatorToken(params, call)).operatorToken);
  },
});

function presentToken(message: OperatorToken | undefined) {
  const token = present(message, 'operator_token');
  return {
    id: token.id,
    name: token.name,
    roles: token.roles.map(operatorRoleNameOf).filter((role) => role !== undefined),
    createdAt: presentRequiredMoment(token.createdAt, 'created_at'),
    expiresAt: presentMoment(token.expiresAt),
    lastUsedAt: presentMoment(token.lastUsedAt),
    revokedAt: presentMoment(token.revokedAt),
  };
}

/** The tokens of operators' programs (spec §18.1); identity audits changes. */
export const operatorTokenRoutes: readonly OpsRoute[] = [
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
];
