import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OperatorRole } from '@reseller/contracts';
import { UnsecuredJWT, type JWTPayload } from 'jose';
import { createHmac, randomBytes } from 'node:crypto';
import { SESSION } from './dependencies';
import { TestBackoffice } from './support/backoffice';
import { newKey, TestIssuer } from './support/issuer';

let issuer: TestIssuer;
let backoffice: TestBackoffice;

beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.stop());
// One for each test: what fails in one must not count in the next.
beforeEach(async () => {
  issuer.reset();
  backoffice = await TestBackoffice.start({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
  });
});
afterEach(() => backoffice.stop());

const SIGN_IN = '__Host-operator-sign-in';
const open = (path: string, cookie = '', init: RequestInit = {}) =>
  fetch(`${backoffice.url}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
const cookieIn = (response: Response, name: string): string | undefined =>
  response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
const pairIn = (response: Response, name: string): string => cookieIn(response, name)?.split(';')[0] ?? '';
const stateOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { state: unknown }).state,
];

/** Goes to the provider and back; returns the last response and the cookie that the browser had. */
async function signIn(returnTo?: string): Promise<{ callback: Response; cookie: string; query: string }> {
  const started = await open(`/auth/sign-in${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ''}`);
  expect(started.status).toBe(302);
  const cookie = pairIn(started, SIGN_IN);
  const query = issuer.authorize(started.headers.get('location') ?? '').toString();
  return { callback: await open(`/auth/callback?${query}`, cookie), cookie, query };
}

const session = `__Host-operator-session=${SESSION}`;
const INVALID = [401, 'UNAUTHORIZED_INVALID_TOKEN'];

describe('signing in (spec §18.1)', () => {
  it('when an operator signs in, then code, PKCE, state and nonce are used and the session is a cookie of this origin alone', async () => {
    const started = await open('/auth/sign-in');
    const { origin, searchParams } = new URL(started.headers.get('location') ?? '');
    expect(origin).toBe(issuer.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'backoffice',
      redirect_uri: `${backoffice.url}/auth/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^\S{43}$/),
      state: expect.stringMatching(/^\S{43}$/),
      nonce: expect.stringMatching(/^\S{43}$/),
    });
    expect(cookieIn(started, SIGN_IN)).toMatch(/=\S+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/);

    const { callback } = await signIn();
    expect([callback.status, callback.headers.get('location')]).toEqual([302, '/console/']);
    expect(cookieIn(callback, '__Host-operator-session')).toBe(
      `${session}; Path=/; Secure; HttpOnly; SameSite=Strict`,
    );
    expect(cookieIn(callback, SIGN_IN)).toMatch(/=; .*Max-Age=0$/);
    expect(callback.headers.get('access-control-allow-origin')).toBeNull();
    expect(issuer.tokenRequests[0]?.get('code_verifier')).toMatch(/^\S{43}$/);
    expect(backoffice.calls).toMatchObject([
      { method: 'useOperatorSignIn', request: { signIn: expect.stringMatching(/^\S{43}$/) } },
      {
        method: 'beginOperatorSession',
        request: { roles: [OperatorRole.SUPPORT] },
        call: {
          operator: 'Olga Ops',
          operatorAccount: `${issuer.url} user-1`,
          requestId: callback.headers.get('x-request-id'),
        },
      },
    ]);
  });

  it.each([
    ['/console/#/orders/TU-1?x=1', '/console/#/orders/TU-1?x=1'],
    ['https://evil.example', '/console/'],
    ['//evil.example/x', '/console/'],
    ['/\\evil.example', '/console/'],
    ['/\t/evil.example', '/console/'],
    ['javascript:alert(1)', '/console/'],
  ])('when returnTo is %j, then it leads to %s', async (returnTo, location) => {
    expect((await signIn(returnTo)).callback.headers.get('location')).toBe(location);
  });

  it.each<[string, JWTPayload, string]>([
    ['name', {}, 'Olga Ops'],
    ['preferred_username', { name: ' ', preferred_username: 'olga' }, 'olga'],
    ['email', { name: undefined, email: 'olga@example.com' }, 'olga@example.com'],
    ['sub', { name: undefined }, 'user-1'],
  ])(
    'when %s is the first claim that says a name, then it is the operator’s',
    async (_claim, claims, name) => {
      issuer.claims = claims;
      await signIn();
      expect(backoffice.calls.at(-1)?.call).toMatchObject({ operator: name });
    },
  );

  it('when the claim of roles is a text, then it is one role; without any role there is no session', async () => {
    issuer.claims = { roles: 'finance' };
    await signIn();
    expect(backoffice.calls.at(-1)?.request).toEqual({ roles: [OperatorRole.FINANCE] });
    for (const roles of [[], 'root', undefined, { admin: true }]) {
      issuer.claims = { roles };
      const { callback } = await signIn();
      expect(await stateOf(callback)).toEqual([403, 'FORBIDDEN_OPERATOR_ROLE']);
      expect(pairIn(callback, '__Host-operator-session')).toBe('');
    }
  });

  it('when it is finished by another browser, a second time or with another state, then it is refused', async () => {
    const { cookie, query } = await signIn();
    expect(await stateOf(await open(`/auth/callback?${query}`))).toEqual(INVALID);
    expect(await stateOf(await open(`/auth/callback?code=code-1&state=x`, cookie))).toEqual(INVALID);
    const other = pairIn(await open('/auth/sign-in'), SIGN_IN);
    expect(await stateOf(await open(`/auth/callback?${query}`, other))).toEqual(INVALID);
    backoffice.fakes.of('identity').fail('useOperatorSignIn', 'UNAUTHORIZED_INVALID_TOKEN');
    expect(await stateOf(await open(`/auth/callback?${query}`, cookie))).toEqual(INVALID);
    expect(backoffice.rpcs().filter((rpc) => rpc === 'beginOperatorSession')).toHaveLength(1);
  });

  it('when somebody signs in under what an empty cookie gives, then a browser without a cookie does not take that session', async () => {
    const derive = (use: string) => createHmac('sha256', '').update(use).digest('base64url');
    const made = new URLSearchParams({ state: derive('state'), nonce: derive('nonce') });
    const query = issuer.authorize(`${issuer.url}/authorize?${made}`);
    for (const cookie of ['', `${SIGN_IN}=.`])
      expect(await stateOf(await open(`/auth/callback?${query}`, cookie))).toEqual(INVALID);
    expect(backoffice.calls).toEqual([]);
  });

  it('when the provider says no, then there is no session', async () => {
    const started = await open('/auth/sign-in');
    const state = issuer.authorize(started.headers.get('location') ?? '').get('state');
    const denied = await open(`/auth/callback?error=access_denied&state=${state}`, pairIn(started, SIGN_IN));
    expect(await stateOf(denied)).toEqual(INVALID);
  });

  it.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'partner-api' }],
    ['another authorized party', { azp: 'other' }],
    ['several audiences and no authorized party', { aud: ['backoffice', 'other'] }],
    ['another nonce', { nonce: 'x' }],
    ['no nonce', { nonce: undefined }],
    ['an end that is past', { exp: 1_000_000_000 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
  ])('when the id token has %s, then it is refused', async (_case, claims) => {
    issuer.claims = claims;
    expect(await stateOf((await signIn()).callback)).toEqual(INVALID);
    expect(backoffice.rpcs()).not.toContain('beginOperatorSession');
  });

  it('when the id token is not signed by a key of the issuer, then it is refused', async () => {
    const [stranger, ps, es512] = await Promise.all([newKey('RS256'), newKey('PS256'), newKey('ES512')]);
    issuer.published = [issuer.key.publicJwk, ps.publicJwk, es512.publicJwk];
    const hmac = (claims: JWTPayload): string => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const signed = `${part({ alg: 'HS256', kid: issuer.key.publicJwk.kid })}.${part(claims)}`;
      return `${signed}.${createHmac('sha256', issuer.clientSecret).update(signed).digest('base64url')}`;
    };
    for (const forge of [
      (claims: JWTPayload) => new UnsecuredJWT(claims).encode(),
      hmac,
      (claims: JWTPayload) => issuer.sign(claims, stranger),
      (claims: JWTPayload) => issuer.sign(claims, { ...stranger, publicJwk: issuer.key.publicJwk }),
      (claims: JWTPayload) => issuer.sign(claims, ps),
      (claims: JWTPayload) => issuer.sign(claims, es512),
      () => 'nonsense',
    ]) {
      issuer.forge = forge;
      expect(await stateOf((await signIn()).callback)).toEqual(INVALID);
    }
    issuer.published = [issuer.key.publicJwk];
  });

  it('when the issuer withdraws its key and signs with another, then 75 seconds later the old one is refused and the new one taken', async () => {
    const old = issuer.key;
    expect((await signIn()).callback.status).toBe(302);
    issuer.key = await newKey('RS256');
    issuer.published = [issuer.key.publicJwk];
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 75_000);
    try {
      issuer.forge = (claims) => issuer.sign(claims, old);
      expect(await stateOf((await signIn()).callback)).toEqual(INVALID);
      issuer.forge = undefined;
      expect((await signIn()).callback.status).toBe(302);
    } finally {
      clock.mockRestore();
    }
  });

  it.each(['ES256', 'EdDSA'])('when the issuer signs with %s, then it is taken', async (alg) => {
    const before = issuer.key;
    issuer.key = await newKey(alg);
    issuer.published = [issuer.key.publicJwk];
    expect((await signIn()).callback.status).toBe(302);
    issuer.key = before;
    issuer.published = [before.publicJwk];
  });

  it('when a cookie and its state are made up, then nothing of it is noted', async () => {
    issuer.forge = () => 'nonsense';
    const secret = randomBytes(32).toString('base64url');
    const state = createHmac('sha256', secret).update('state').digest('base64url');
    const made = await open(`/auth/callback?code=x&state=${state}`, `${SIGN_IN}=${secret}.`);
    expect(await stateOf(made)).toEqual(INVALID);
    expect(backoffice.calls).toEqual([]);
  });

  it('when twenty callbacks failed, then the next is RATE_LIMITED; a good one is served, and an outage of the provider counts against nobody', async () => {
    const callbacks = Array.from({ length: 20 }, () => open('/auth/callback?code=x&state=y'));
    for (const callback of await Promise.all(callbacks)) expect(await stateOf(callback)).toEqual(INVALID);
    const limited = await open('/auth/callback?code=x&state=y');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await stateOf(limited)).toEqual([429, 'RATE_LIMITED']);
    expect((await signIn()).callback.status).toBe(302);
    issuer.refusal = { status: 503, body: {} };
    expect(await stateOf((await signIn()).callback)).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});

describe('a session (spec §18.1)', () => {
  const csrfToken = async (): Promise<string> => {
    const { payload } = (await (await open('/auth/session', session)).json()) as {
      payload: { csrfToken: string };
    };
    return payload.csrfToken;
  };
  const change = (headers: Record<string, string>) =>
    open('/ops/v1/rates/EUR', session, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"rate":0.266667}',
    });

  it('when it is read, then it says who, which roles and until when; without one it is 401', async () => {
    const response = await open('/auth/session', session);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { payload: unknown }).payload).toEqual({
      operator: { name: 'olga', roles: ['admin'] },
      expiresAt: '2026-03-01T10:00:00.000Z',
      csrfToken: expect.stringMatching(/^\S{43}$/),
    });
    for (const cookie of [
      '',
      '__Host-operator-session=x',
      `${session}; ${session}`,
      `operator-session=${SESSION}`,
    ])
      expect(await stateOf(await open('/auth/session', cookie))).toEqual(INVALID);
  });

  it('when a change comes with the cookie, then it needs the Origin and the csrfToken; a read needs neither', async () => {
    const token = await csrfToken();
    const origin = backoffice.url;
    for (const headers of [
      {},
      { origin },
      { 'x-csrf-token': token },
      { origin, 'x-csrf-token': `${token.slice(1)}x` },
      { origin: 'https://evil.example', 'x-csrf-token': token },
      { origin: 'null', 'x-csrf-token': token },
    ] as Record<string, string>[])
      expect(await stateOf(await change(headers))).toEqual([403, 'FORBIDDEN_CSRF']);
    expect(backoffice.rpcs()).toEqual([]);
    expect((await change({ origin, 'x-csrf-token': token })).status).toBe(200);
    expect((await open('/ops/v1/partners', session)).status).toBe(200);
  });

  it('when the operator signs out, then the session ends and the cookie goes; only by POST, and only from our own page', async () => {
    const headers = { origin: backoffice.url, 'x-csrf-token': await csrfToken() };
    expect(await stateOf(await open('/auth/sign-out', session))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const forged = await open('/auth/sign-out', session, { method: 'POST' });
    expect(await stateOf(forged)).toEqual([403, 'FORBIDDEN_CSRF']);
    const done = await open('/auth/sign-out', session, { method: 'POST', headers });
    expect(await stateOf(done)).toEqual([200, 'SUCCESS']);
    expect(cookieIn(done, '__Host-operator-session')).toMatch(/=; .*Max-Age=0$/);
    const call = { operator: 'olga', requestId: done.headers.get('x-request-id') };
    const request = { session: SESSION };
    expect(backoffice.calls).toMatchObject([{ method: 'endOperatorSession', request, call }]);
  });
});
