import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { ERROR_CATALOGUE, type ErrorCode } from '@reseller/errors';
import { KEY_HEADER } from './pipeline/idempotency-key';
import { errorsOf } from './routes/implied-errors';
import type { Route } from './routes/route';
import { FAULT_HEADER, sandboxFault } from './sandbox/sandbox-fault';

const INTRODUCTION = `Sell mobile top-ups, eSIMs and scents under your own name.

**Start** with \`POST /api/v1/auth/token\`, press *Authorize* with the accessToken, and try the rest on this page.
A credential is for the sandbox or for live; the two never see each other's data.

**Answers** come in one envelope: \`{ "state": "SUCCESS", "payload": … }\`, or
\`{ "state": "<ERROR_CODE>", "payload": null, "details": { "message", "requestId" } }\`. Branch on \`state\`, never on the
message, and quote the requestId (also in the X-Request-Id header) when you ask us.

**Repeat safely**: creates carry your externalReference, or take an Idempotency-Key. After a 5xx or no response at all send the same
request again.
429 and 503 say in Retry-After how many seconds to wait.

**Limits**: 300 requests in 60 seconds for each credential, 10 for the token endpoint by address.`;

const errorEnvelope = z
  .object({
    state: z.string().meta({ description: 'The error code.' }),
    payload: z.null(),
    details: z.looseObject({
      message: z.string().meta({ description: 'One plain sentence, safe to show.' }),
      requestId: z.string().meta({ description: 'Equal to the X-Request-Id header.' }),
      errors: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({
          description:
            'With VALIDATION_FAILED: one entry for each fault, up to 50; then one with an empty path says how many are left out.',
        }),
    }),
  })
  .meta({ id: 'Error' });

const REQUEST_ID = '5f0c2b1e-8a34-4c57-9f21-6f1f0e9f7a10';

function exampleOf(code: ErrorCode): { value: object } {
  const errors =
    code === 'VALIDATION_FAILED' ? { errors: [{ path: 'amount', message: 'must be more than 0' }] } : {};
  const details = { message: ERROR_CATALOGUE[code].message, requestId: REQUEST_ID, ...errors };
  return { value: { state: code, payload: null, details } };
}

function errorResponses(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`).join('\n\n'),
        headers: responseHeaders(group),
        content: {
          'application/json': {
            schema: errorEnvelope,
            examples: Object.fromEntries(group.map((code) => [code, exampleOf(code)])),
          },
        },
      },
    ]),
  );
}

const requestId = z
  .string()
  .meta({ description: 'Yours if you sent one of 1-128 letters, digits, . _ or -; otherwise ours.' });
const retryAfter = z.int().meta({ description: 'Seconds to wait before the request is sent again.' });

const WAITING = new Set<ErrorCode>([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'CONFLICT_ORDER_IN_PROGRESS',
  'CONFLICT_REQUEST_IN_PROGRESS',
]);

const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description:
      'Yours, 1-128 printable ASCII characters, good for 24 hours: the same request with the same key returns the first ' +
      'response again, with Idempotency-Replayed: true, and has no second effect.',
  });

const headersOf = ({ idempotencyKey: takesKey }: Route) =>
  z.object({
    ...(takesKey && { [KEY_HEADER]: idempotencyKey.optional() }),
    [FAULT_HEADER]: sandboxFault.optional(),
  });

/** Retry-After is promised where every code of the status carries it, and possible where one does. */
function responseHeaders(codes: ErrorCode[]) {
  if (!codes.some((code) => WAITING.has(code))) return z.object({ 'X-Request-Id': requestId });
  const isPromised = codes.every((code) => WAITING.has(code));
  return z.object({
    'X-Request-Id': requestId,
    'Retry-After': isPromised ? retryAfter : retryAfter.optional(),
  });
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { state, status } = route.success ?? { state: 'SUCCESS', status: 200 };
  const envelope = z.object({ state: z.literal(state), payload: route.response });
  const { params, query, body, file, examples } = route;
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: route.access === 'anonymous' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(route.access !== 'anonymous' && { header: headersOf(route) }),
    },
    ...(body &&
      Object.keys(body.shape).length > 0 && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: body, example: examples.body } },
        },
      }),
    ...(file && {
      requestBody: {
        required: true,
        content: { [file.type]: { schema: z.string(), example: examples.file } },
      },
    }),
    responses: {
      [String(status) as '200']: {
        description: `State \`${state}\`.`,
        headers: responseHeaders([]),
        content: { 'application/json': { schema: envelope, example: { state, payload: examples.response } } },
      },
      ...errorResponses(errorsOf(route)),
    },
  };
}

/** A stable name for code generators: get_orders_topup_by_orderId. */
function operationIdOf({ method, path }: Route): string {
  const words = path.replace('/api/v1/', '').replaceAll('{', 'by_').replaceAll('}', '');
  return `${method.toLowerCase()}_${words.replaceAll(/[^A-Za-z0-9]+/g, '_')}`;
}

/** The OpenAPI 3.1 document of a table of routes. */
export function openApiDocument(routes: readonly Route[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Partner Reseller API', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The accessToken.' },
      },
    },
  });
}
