import { describe, expect, it } from '@jest/globals';
import { routes } from '.';

/** Identity audits these itself; the last compares and changes nothing. */
const WITHOUT_AUDIT = [
  'POST /ops/v1/partners',
  'PATCH /ops/v1/partners/{id}',
  'POST /ops/v1/partners/{id}/credentials',
  'DELETE /ops/v1/credentials/{clientId}',
  'POST /ops/v1/reconciliation/run',
];

describe('the table of the operators’ API', () => {
  it('when a call changes something, then it says what its audit entry is about, unless identity does', () => {
    const changes = routes.filter(({ method }) => method !== 'GET');
    const unaudited = changes.filter(({ audit }) => !audit).map(({ method, path }) => `${method} ${path}`);
    expect(unaudited.sort()).toEqual([...WITHOUT_AUDIT].sort());
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'when %s is declared, then its example fits its shape',
    (_name, { summary, path, params, body, examples = {} }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {})).toEqual(inPath);
      if (params) expect(params.safeParse(examples.params)).toMatchObject({ success: true });
      if (body) expect(body.safeParse(examples.body)).toMatchObject({ success: true });
      expect(summary).toMatch(/^\S.{8}/);
    },
  );
});
