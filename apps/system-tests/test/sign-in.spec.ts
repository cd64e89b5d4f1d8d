import { describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { OperatorBrowser, type OperatorSession } from '../src/clients/operator-browser';
import { OperatorClient } from '../src/clients/operator-client';
import { send } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const admin = new OperatorClient(platform);
const backoffice = new URL(platform.backofficeUrl);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A browser in which the operator of a role has just signed in. */
async function signedIn(role: string): Promise<OperatorBrowser> {
  const operator = platform.operators.find((one) => one.role === role);
  const browser = new OperatorBrowser(platform.backofficeUrl);
  await browser.signIn(operator?.username ?? '', operator?.password ?? '');
  return browser;
}

describe('signing in at the local identity provider (spec §18.1)', () => {
  test.each(platform.operators)(
    'when the operator of role $role signs in, then the session says so and the role decides (spec §18.2)',
    async ({ role, username, password }) => {
      const browser = new OperatorBrowser(platform.backofficeUrl);
      const end = await browser.signIn(username, password, '/console/#/rates');
      expect(end.href).toBe(`${platform.backofficeUrl}/console/#/rates`);
      const { payload } = await browser.call<OperatorSession>('/auth/session');
      expect(payload.operator).toEqual({ name: `Local ${role}`, roles: [role] });
      expect((await browser.call('/ops/v1/partners')).status).toBe(200);
      const rate = { method: 'PUT', body: { rate: 0.27 } };
      const reply = await browser.change('/ops/v1/rates/CHF', rate);
      if (['finance', 'admin'].includes(role)) expect(reply.state).toBe('SUCCESS');
      else
        expect([reply.state, reply.details]).toMatchObject(['FORBIDDEN_OPERATOR_ROLE', { role: 'finance' }]);
    },
  );

  test('when the password is wrong, then the form comes again and nobody is signed in', async () => {
    const browser = new OperatorBrowser(platform.backofficeUrl);
    const end = await browser.signIn('admin', 'wrong');
    expect(end.origin).toBe(platform.oidcIssuer);
    expect((await browser.call('/auth/session')).state).toBe('UNAUTHORIZED_INVALID_TOKEN');
  });

  test('when an operator changes something by the console, then the audit has the name of the session', async () => {
    const browser = await signedIn('partners');
    const { payload } = await browser.change<{ id: string }>('/ops/v1/partners', {
      body: { name: 'By session' },
    });
    const { items } = await admin.get<{ items: object[] }>(`/audit?partnerId=${payload.id}`);
    expect(items).toMatchObject([{ operator: 'Local partners', action: 'partner.create' }]);
  });

  test('when an operator signs in again and out, then each session is new, and the one that ended is refused', async () => {
    const browser = await signedIn('viewer');
    const first = browser.cookies(backoffice);
    const second = (await signedIn('viewer')).cookies(backoffice);
    expect(second).not.toBe(first);
    const forged = await browser.call('/auth/sign-out', { method: 'POST' });
    expect(forged.state).toBe('FORBIDDEN_CSRF');
    expect((await browser.change('/auth/sign-out', { method: 'POST' })).state).toBe('SUCCESS');
    const state = async (cookie: string) =>
      (await send(`${platform.backofficeUrl}/auth/session`, { headers: { cookie } })).state;
    expect([await state(first), await state(second)]).toEqual(['UNAUTHORIZED_INVALID_TOKEN', 'SUCCESS']);
  });
});

describe('operator tokens (spec §18.1)', () => {
  test('when one is made, used and revoked, then it works in its role, shows its last use, and ends', async () => {
    const made = await admin.post<{ id: string; token: string }>('/operator-tokens', {
      name: 'nightly',
      roles: ['viewer'],
    });
    const call = (path: string, body?: object) =>
      send(`${platform.backofficeUrl}/ops/v1${path}`, { headers: bearer(made.token), ...(body && { body }) });
    expect((await call('/partners')).status).toBe(200);
    expect((await call('/partners', { name: 'x' })).state).toBe('FORBIDDEN_OPERATOR_ROLE');
    expect((await call('/operator-tokens')).state).toBe('FORBIDDEN_OPERATOR_ROLE');
    const { items } = await admin.get<{ items: { id: string }[] }>('/operator-tokens?pageSize=100');
    expect(items.find(({ id }) => id === made.id)).toMatchObject({ lastUsedAt: expect.any(String) });
    expect((await admin.call(`/operator-tokens/${made.id}`, { method: 'DELETE' })).status).toBe(200);
    await eventually(async () => expect((await call('/partners')).state).toBe('UNAUTHORIZED_INVALID_TOKEN'));
  });
});
