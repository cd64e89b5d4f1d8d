import { z } from 'zod';
import { tidySchema } from '@reseller/http-edge';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { OpsRoute } from './routes/route';

const INTRODUCTION = `What the console does, for programs. Send an operator token as a bearer token; \`x-role\` names the role
that a call needs, and admin has them all.

Responses come in the partners' envelope: \`{ "state": "SUCCESS", "payload": … }\`, or
\`{ "state": "<ERROR_CODE>", "payload": null, "details": { "message", "requestId" } }\`.`;

const successOf = ({ response = z.unknown() }: OpsRoute) =>
  z.object({ state: z.literal('SUCCESS'), payload: response });
const failure = z
  .object({
    state: z.string().meta({ description: 'The error code.' }),
    payload: z.null(),
    details: z.looseObject({
      message: z.string(),
      requestId: z.string(),
      errors: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'With VALIDATION_FAILED: each fault.' }),
    }),
  })
  .meta({ id: 'Error' });

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** The envelope, or the file that a route responds with as it is. */
const contentOf = (route: OpsRoute) =>
  route.produces
    ? { [route.produces]: { schema: { type: 'string' as const, format: 'binary' } } }
    : json(successOf(route));

function operationOf(route: OpsRoute): ZodOpenApiOperationObject {
  const { method, path, role, otherRoles, summary, params, query, body, examples } = route;
  const [, , , noun = ''] = path.split('/');
  return {
    operationId: `${method.toLowerCase()}_${path
      .replace('/ops/v1/', '')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replace(/_$/, '')}`,
    tags: [noun],
    summary,
    'x-role': role,
    ...(otherRoles && { 'x-other-roles': [...otherRoles] }),
    requestParams: { ...(params && { path: params }), ...(query && { query }) },
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, example: examples?.body } },
      },
    }),
    responses: {
      200: { description: 'Done.', content: contentOf(route) },
      default: { description: 'Refused or failed.', content: json(failure) },
    },
  };
}

/** The OpenAPI 3.1 document of the operators' API, with the role that each call needs as `x-role`. */
export function openApiDocument(routes: readonly OpsRoute[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Operators’ API', version: '1.0.0', description: INTRODUCTION },
      servers: [{ url: '/', description: 'This backoffice' }],
      tags: [...new Set(routes.map(({ path }) => path.split('/')[3] ?? ''))].map((name) => ({ name })),
      security: [{ bearer: [] }],
      paths,
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An operator token.' } },
      },
    },
    { override: tidySchema },
  );
}
