import { READ_DEADLINE_MS } from '@reseller/http-edge';
import { z } from 'zod';
import { text, uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';

const body = z.strictObject({
  clientId: text('The credential’s client id.', { min: 1, max: 256 }),
  clientSecret: text('The credential’s secret.', { min: 1, max: 256 }).meta({ format: 'password' }),
  onBehalfOf: uuid('The id of a partner below yours to act as.').nullish(),
});

const response = z
  .strictObject({
    accessToken: z.string().meta({ description: 'Opaque; send it as Authorization: Bearer <accessToken>.' }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds; always 300.' }),
  })
  .meta({ id: 'AccessToken' });

/** POST /api/v1/auth/token */
export const createToken = defineRoute({
  method: 'POST',
  path: '/api/v1/auth/token',
  tag: 'Authentication',
  access: 'anonymous',
  summary: 'Exchange a credential for a bearer token',
  description:
    'The token lives five minutes. Keep it and fetch the next one about 30 seconds before it ends; there is no ' +
    'refresh token. If a call still returns 401, fetch a new token once and repeat the call once. With onBehalfOf ' +
    'a parent partner acts as one of its descendants. Limited to 10 requests in 60 seconds by address.',
  body,
  response,
  errors: [
    'UNAUTHORIZED_INVALID_CREDENTIALS',
    'UNAUTHORIZED_PARTNER_FROZEN',
    'FORBIDDEN_NOT_YOUR_DESCENDANT',
    'FORBIDDEN_DELEGATION_TARGET_INVALID',
  ],
  // It creates nothing a partner could lose, so it is given up as quickly as a read.
  deadlineMs: READ_DEADLINE_MS,
  examples: {
    body: { clientId: 'acme-sandbox', clientSecret: 'the-secret-you-were-given' },
    response: {
      accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJwYXJ0bmVyLWFwaSJ9.c2ln',
      tokenType: 'Bearer',
      expiresIn: 300,
    },
  },
  async handle({ body: { clientId, clientSecret, onBehalfOf }, call, clients, callerAddress }) {
    const token = await clients.tokens.issueToken(
      { clientId, clientSecret, onBehalfOf: onBehalfOf ?? undefined, callerAddress },
      call,
    );
    return {
      accessToken: token.accessToken,
      tokenType: 'Bearer' as const,
      expiresIn: token.expiresInSeconds,
    };
  },
});
