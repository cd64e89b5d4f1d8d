import { describe, expect, it } from '@jest/globals';
import { routes } from '.';
import { OPERATOR_ROLE_NAMES } from '@reseller/rpc';
import { requireRole } from '../operator-roles';

/** Identity audits these itself; the last compares and changes nothing. */
const WITHOUT_AUDIT = [
  'POST /ops/v1/partners',
  'POST /ops/v1/partners/{id}/freeze',
  'POST /ops/v1/partners/{id}/unfreeze',
  'PATCH /ops/v1/partners/{id}',
  'POST /ops/v1/partners/{id}/credentials',
  'PUT /ops/v1/partners/{id}/certification/products',
  'POST /ops/v1/partners/{id}/certification/waive',
  'DELETE /ops/v1/credentials/{clientId}',
  'POST /ops/v1/operator-tokens',
  'DELETE /ops/v1/operator-tokens/{id}',
  'POST /ops/v1/reconciliation/run',
];

describe('the table of the operators’ API', () => {
  it('when a call changes something, then it says what its audit entry is about, unless identity does', () => {
    const changes = routes.filter(({ method }) => method !== 'GET');
    const unaudited = changes.filter(({ audit }) => !audit).map(({ method, path }) => `${method} ${path}`);
    expect(unaudited.sort()).toEqual([...WITHOUT_AUDIT].sort());
  });

  it('when a call only reads, then any role may make it; a change, or what is secret, needs its own (spec §18.2)', () => {
    const forAll = routes.filter(({ role }) => role === 'viewer');
    expect(forAll.filter(({ method }) => method !== 'GET')).toEqual([]);
    const secret = routes.filter(({ method, role }) => method === 'GET' && role !== 'viewer');
    expect(secret.map(({ path }) => path)).toEqual(['/ops/v1/operator-tokens']);
    const changes = routes.filter(({ method }) => method !== 'GET');
    const byRole = new Map<string, Set<string>>();
    for (const { path, role } of changes) {
      const nouns = byRole.get(role) ?? new Set<string>();
      byRole.set(role, nouns.add(path.split('/')[3] ?? ''));
    }
    expect(Object.fromEntries([...byRole].map(([role, nouns]) => [role, [...nouns].sort()]))).toEqual({
      support: [
        'dead-letters',
        'fulfillment-groups',
        'orders',
        'reconciliation',
        'return-requests',
        'webhook-deliveries',
      ],
      finance: ['approvals', 'partners', 'rates', 'statements'],
      catalog: ['brands', 'variants'],
      partners: ['credentials', 'partners'],
      admin: ['erasures', 'operator-tokens'],
    });
    const ofPartners = changes.filter(({ path }) => path.startsWith('/ops/v1/partners/'));
    expect(ofPartners.filter(({ role }) => role === 'finance')).toEqual(
      ofPartners.filter(({ path }) => /\/(wallet|limits)\b/.test(path)),
    );
  });

  it('when a role is needed, then it or the admin will do, and no other (spec §18.2)', () => {
    for (const needed of OPERATOR_ROLE_NAMES) {
      for (const role of OPERATOR_ROLE_NAMES) {
        const may = () => requireRole([role], needed);
        if (needed === 'viewer' || role === needed || role === 'admin') expect(may).not.toThrow();
        else
          expect(may).toThrow(
            expect.objectContaining({ code: 'FORBIDDEN_OPERATOR_ROLE', details: { role: needed } }),
          );
      }
      expect(() => requireRole([], needed)).toThrow();
    }
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
