import { expect, it } from '@jest/globals';
import { openApiDocument } from './openapi';
import { routes } from './routes';

type Schema = Readonly<Record<string, unknown>>;

/** Whether a schema of a request leaves a text or number without any bound, at whatever depth. */
function isUnbounded(schema: Schema): boolean {
  const {
    anyOf = [],
    items,
    properties = {},
  } = schema as {
    anyOf?: Schema[];
    items?: Schema;
    properties?: Record<string, Schema>;
  };
  const within = [...anyOf, ...(items ? [items] : []), ...Object.values(properties)];
  const type = [schema.type].flat().find((name) => name !== 'null');
  const bounds = { string: TEXT_BOUNDS, number: NUMBER_BOUNDS, integer: NUMBER_BOUNDS }[String(type)];
  return within.some(isUnbounded) || (bounds !== undefined && !bounds.some((word) => word in schema));
}
const TEXT_BOUNDS = ['enum', 'const', 'format', 'pattern', 'maxLength', 'description'];
const NUMBER_BOUNDS = ['minimum', 'exclusiveMinimum'];

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

it('when clients are made of it, then they know the bounds of what they send and the types of what they get', () => {
  const { paths = {} } = openApiDocument(routes);
  const unbounded = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).flatMap(
      ([method, { parameters = [], requestBody }]) => {
        const body = requestBody?.content['application/json'].schema;
        return [...parameters, ...(body ? [{ name: 'its body', schema: body }] : [])]
          .filter(({ schema }) => isUnbounded(schema))
          .map(({ name }) => `${name} of ${method} ${path}`);
      },
    ),
  );
  expect(unbounded).toEqual([]);
  expect(routes.filter(({ response, produces }) => !response && !produces)).toEqual([]);
});

it('when the table is written as OpenAPI, then each call is in it once, with the role that it needs', () => {
  const { paths = {} } = openApiDocument(routes);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { 'x-role'?: string; operationId: string }>).map(
      ([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation }),
    ),
  );
  expect(documented.map(({ call, 'x-role': role }) => `${call} ${role}`).sort()).toEqual(
    routes.map(({ method, path, role }) => `${method} ${path} ${role}`).sort(),
  );
  expect(new Set(documented.map(({ operationId }) => operationId)).size).toBe(routes.length);
});
