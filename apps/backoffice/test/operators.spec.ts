import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_ROLE_NAMES, type OperatorRoleName } from '@reseller/rpc';
import { routes } from '../src/routes';
import { TOKENS } from './dependencies';
import { OPERATOR_TOKEN, TestBackoffice, useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const bad = (n: number) => bearer(`op_${String(n).padStart(43, 'x')}`);

describe('who may use backoffice', () => {
  it.each([
    ['no token', {}],
    ['an unknown token', bad(0)],
    ['what is no token of ours', bearer('eyJhbGciOiJub25lIn0.e30.')],
    ['another scheme', { authorization: `Basic ${OPERATOR_TOKEN}` }],
  ])('when a request comes with %s, then it is 401 and no service is called', async (_case, headers) => {
    const response = await backoffice.send('GET', '/partners', undefined, { authorization: '', ...headers });
    expect(response.status).toBe(401);
    expect(response.body.state).toBe('UNAUTHORIZED_INVALID_TOKEN');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(backoffice.rpcs()).toEqual([]);
  });

  it('when there is no identity provider, then nobody signs in at one', async () => {
    for (const path of ['/auth/sign-in', '/auth/callback']) {
      const response = await fetch(`${backoffice.url}${path}`);
      expect([response.status, await response.json()]).toMatchObject([404, { state: 'NOT_FOUND_ROUTE' }]);
    }
  });

  it('when identity is away, then it is 503, not 401: the token may well be good', async () => {
    backoffice.fakes.of('identity').fail('authenticateOperator', 'SERVICE_UNAVAILABLE');
    expect((await backoffice.send('GET', '/partners')).body.state).toBe('SERVICE_UNAVAILABLE');
  });

  it('when an operator acts, then services see the name and the account that identity knows, whatever the body says', async () => {
    await backoffice.send('PUT', '/rates/EUR', { rate: 0.266667, operator: 'otto' });
    expect(backoffice.rpcs()).toEqual([]);
    await backoffice.send('PUT', '/rates/EUR', { rate: 0.266667 }, { 'x-operator': 'otto' });
    for (const { call } of backoffice.calls)
      expect(call).toMatchObject({ operator: 'olga', operatorAccount: 'idp olga' });
    expect(backoffice.rpcs()).toEqual(['recordAuditEntry', 'setRate']);
  });
});

describe('roles (spec §18.2)', () => {
  const inPath = (path: string) => path.replace('/ops/v1', '').replaceAll(/\{\w+\}/g, 'x');

  it.each(OPERATOR_ROLE_NAMES)(
    'when a %s calls each route with a body that fits none, then it is the role that refuses first, and names the one that is needed',
    async (role) => {
      const may = (needed: OperatorRoleName) => needed === 'viewer' || needed === role || role === 'admin';
      for (const route of routes.filter(({ method }) => method !== 'GET')) {
        const reply = await backoffice.send(route.method, inPath(route.path), '[]', bearer(TOKENS[role]));
        const { state, details } = reply.body;
        const seen = [`${route.method} ${route.path}`, state, details?.['role']];
        if ([route.role, ...(route.otherRoles ?? [])].some(may))
          expect(seen).toEqual([seen[0], 'VALIDATION_MALFORMED_JSON', undefined]);
        else expect(seen).toEqual([seen[0], 'FORBIDDEN_OPERATOR_ROLE', route.role]);
      }
      expect(backoffice.rpcs()).toEqual([]);
    },
  );

  it.each(OPERATOR_ROLE_NAMES)(
    'when a %s reads, then only the tokens of operators are the admin’s',
    async (role) => {
      for (const [path, needed] of [
        ['/partners', 'viewer'],
        ['/operator-tokens', 'admin'],
      ]) {
        const { status } = await backoffice.send('GET', path ?? '', undefined, bearer(TOKENS[role]));
        expect(status).toBe(needed === 'viewer' || role === 'admin' ? 200 : 403);
      }
    },
  );
});

describe('bad tokens (spec §18.2)', () => {
  const fresh = new TestBackoffice();
  beforeEach(() => fresh.start());
  afterEach(() => fresh.stop());
  const states = async (count: number): Promise<(string | undefined)[]> => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, n) => fresh.send('GET', '/partners', undefined, bad(n))),
    );
    return replies.map(({ body }) => body.state);
  };

  it('when twenty came from an address, then the next is RATE_LIMITED, a good one is served and none counts as bad', async () => {
    expect(await states(20)).toEqual(Array(20).fill('UNAUTHORIZED_INVALID_TOKEN'));
    const limited = await fresh.send('GET', '/partners', undefined, bad(21));
    expect([limited.status, limited.body.state]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await fresh.send('GET', '/partners')).status).toBe(200);
    const forwarded = { ...bad(22), 'x-forwarded-for': '203.0.113.9' };
    expect((await fresh.send('GET', '/partners', undefined, forwarded)).body.state).toBe('RATE_LIMITED');
    for (const authorization of ['', `Basic ${OPERATOR_TOKEN}`]) {
      const none = await fresh.send('GET', '/partners', undefined, { authorization });
      expect(none.body.state).toBe('UNAUTHORIZED_INVALID_TOKEN');
    }
  });
});
