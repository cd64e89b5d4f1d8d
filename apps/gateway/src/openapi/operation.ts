import { z } from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiLinksObject,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
} from 'zod-openapi';
import { errorsOf } from '../routes/implied-errors';
import type { NamedRoute } from '../routes/route';
import { codeSamplesOf } from './code-samples';
import { errorResponses } from './error-responses';
import { requestHeaders, responseHeaders } from './headers';
import { pascal } from './names';

/** A route as an operation of the document. */
export function operationOf(route: NamedRoute): ZodOpenApiOperationObject {
  const { operationId, params, query, examples } = route;
  const { state, status } = route.success ?? { state: 'SUCCESS', status: 200 };
  const envelope = z
    .object({ state: z.literal(state), payload: route.response })
    .meta({ id: `${pascal(operationId)}Response` });
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: route.access === 'anonymous' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(route.access !== 'anonymous' && { header: requestHeaders(route) }),
    },
    ...requestBodyOf(route),
    'x-codeSamples': codeSamplesOf(route),
    responses: {
      [String(status) as '200']: {
        description: `State \`${state}\`.`,
        headers: responseHeaders([]),
        content: contentOf(route, { schema: envelope, example: { state, payload: examples.response } }),
        ...(route.links && { links: linksOf(route.links) }),
      },
      ...errorResponses(errorsOf(route)),
    },
  };
}

/** JSON in the envelope, or the file that a route responds with as it is. */
const contentOf = ({ produces }: NamedRoute, json: ZodOpenApiMediaTypeObject): ZodOpenApiContentObject =>
  produces ? { [produces]: { schema: { type: 'string', format: 'binary' } } } : { 'application/json': json };

function requestBodyOf({
  operationId,
  body,
  file,
  examples,
}: NamedRoute): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (file) {
    const content = { [file.type]: { schema: z.string(), example: examples.file } };
    return { requestBody: { required: true, content } };
  }
  if (!body || Object.keys(body.shape).length === 0) return {};
  const schema = body.meta({ id: `${pascal(operationId)}Request` });
  const content = { 'application/json': { schema, example: examples.body } };
  return { requestBody: { required: true, content } };
}

const linksOf = (links: NonNullable<NamedRoute['links']>): ZodOpenApiLinksObject =>
  Object.fromEntries(
    Object.entries(links).map(([operationId, fields]) => [
      operationId,
      {
        operationId,
        parameters: Object.fromEntries(
          Object.entries(fields).map(([parameter, field]) => [parameter, `$response.body#/payload/${field}`]),
        ),
      },
    ]),
  );
