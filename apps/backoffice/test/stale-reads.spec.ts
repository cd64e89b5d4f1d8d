import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SESSION } from './dependencies';
import { TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;
beforeAll(async () => {
  backoffice = await TestBackoffice.start({ REPLICA_STALENESS_MS: '2000' });
});
afterAll(() => backoffice.stop());

const session = `__Host-operator-session=${SESSION}`;
const open = (path: string, cookie: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${backoffice.url}${path}`, { ...init, headers: { cookie, ...init.headers } });

it('when an operator changes something, then what comes next is read as it is now, while what came before might be older', async () => {
  const { payload } = (await (await open('/auth/session', session)).json()) as {
    payload: { csrfToken: string };
  };
  await open('/ops/v1/rates', session);
  const headers = {
    'content-type': 'application/json',
    origin: backoffice.url,
    'x-csrf-token': payload.csrfToken,
  };
  const body = '{"rate":0.266667}';
  const changed = await open('/ops/v1/rates/EUR', session, { method: 'PUT', headers, body });
  expect(changed.status).toBe(200);
  const [kept = ''] = changed.headers.getSetCookie().map((line) => line.split(';')[0]);
  await open('/ops/v1/rates', `${session}; ${kept}`);
  const seen = backoffice.calls.map(({ method, call }) => [method, call.acceptsStale ?? false]);
  expect(seen).toEqual([
    ['listRates', true],
    ['recordAuditEntry', false],
    ['setRate', false],
    ['listRates', false],
  ]);
});
