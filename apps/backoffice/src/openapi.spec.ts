import { expect, it } from '@jest/globals';
import { openApiDocument } from './openapi';
import { routes } from './routes';

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
