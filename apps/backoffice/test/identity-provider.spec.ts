import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdentityProvider } from '../src/sign-in/identity-provider';
import { beginAttempt } from '../src/sign-in/sign-in-attempt';
import { TestIssuer } from './support/issuer';

const OURS = 'http://127.0.0.1';
const CALLBACK = `${OURS}/auth/callback`;

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(() => issuer.reset());

const providerAt = (url: string): IdentityProvider => {
  const { clientId, clientSecret } = issuer;
  return new IdentityProvider({ issuer: url, clientId, clientSecret, rolesClaim: 'roles' });
};

/** Comes back from the provider, whose token endpoint refuses. */
function comeBack(refusal: TestIssuer['refusal']): Promise<unknown> {
  issuer.refusal = refusal;
  const attempt = beginAttempt(null, OURS);
  return providerAt(issuer.url).finish(attempt, new URL(`${CALLBACK}?code=code-1&state=${attempt.state}`));
}
const because = (code: string, words: string) => ({
  code,
  cause: { message: expect.stringContaining(words) },
});

describe('a provider that refuses (spec §18.1)', () => {
  it.each([
    ['in its body', 400, {}],
    ['as RFC 6749 has it', 401, { 'www-authenticate': 'Basic realm="idp"' }],
  ])(
    'when it does not take our secret and says so %s, then that is an outage, and its cause names the settings',
    async (_how, status, headers) => {
      await expect(comeBack({ status, headers, body: { error: 'invalid_client' } })).rejects.toMatchObject(
        because('SERVICE_UNAVAILABLE', 'OIDC_CLIENT_ID with OIDC_CLIENT_SECRET'),
      );
    },
  );

  it('when it is unwell, then that is an outage', async () => {
    await expect(comeBack({ status: 503, body: {} })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('when it was unwell at the start, then the next sign-in tries it again', async () => {
    issuer.refusal = { path: '/.well-known', status: 503, body: {} };
    const provider = providerAt(issuer.url);
    const start = () => provider.signInUrl(beginAttempt(null, OURS), CALLBACK);
    await expect(start()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    issuer.refusal = undefined;
    expect(await start()).toContain(`${issuer.url}/authorize`);
  });

  it('when it does not take the code, then the operator is refused', async () => {
    await expect(comeBack({ status: 400, body: { error: 'invalid_grant' } })).rejects.toMatchObject({
      code: 'UNAUTHORIZED_INVALID_TOKEN',
    });
  });

  it('when nobody is at its address, then the cause names the setting', async () => {
    const url = providerAt('http://127.0.0.1:1').signInUrl(beginAttempt(null, OURS), CALLBACK);
    await expect(url).rejects.toMatchObject(because('SERVICE_UNAVAILABLE', 'OIDC_ISSUER'));
  });
});
