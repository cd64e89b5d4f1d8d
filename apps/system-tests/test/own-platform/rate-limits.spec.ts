import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send } from '../../src/clients/response';
import type { ApiResponse } from '../../src/clients/response';
import { PartnerClient } from '../../src/clients/partner-client';
import { OperatorClient } from '../../src/clients/operator-client';
import type { TestPartner } from '../../src/clients/operator-client';
import { startPlatform } from '../../src/platform/start-platform';
import type { StartedPlatform } from '../../src/platform/start-platform';

const LIMIT = 12;
const TOKEN_LIMIT = 6;
let platform: StartedPlatform;
let parent: TestPartner;
let child: TestPartner;

beforeAll(async () => {
  platform = await startPlatform({
    RATE_LIMIT_DEFAULT: String(LIMIT),
    RATE_LIMIT_TOKEN: String(TOKEN_LIMIT),
  });
  const operator = new OperatorClient(platform.description);
  parent = await operator.newPartner({ deposit: 10 });
  child = await operator.newPartner({ deposit: 10, settings: { parentPartnerId: parent.id } });
});
afterAll(() => platform?.stop());

function expectLimited(response: ApiResponse<unknown>): void {
  expect([response.status, response.state, response.payload]).toEqual([429, 'RATE_LIMITED', null]);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true);
  // No quota is shown.
  expect(JSON.stringify(response.details)).not.toMatch(new RegExp(`\\b(${LIMIT}|${TOKEN_LIMIT})\\b`));
}

test('when a credential has used its permits, then it is refused, others go on, and delegated calls count against the parent (spec §11.2)', async () => {
  const delegated = new PartnerClient(platform.description.gatewayUrl, parent.credentials.sandbox, child.id);
  const [ownToken, childToken] = [await parent.sandbox.accessToken(), await delegated.accessToken()];
  const call = (token: string): Promise<ApiResponse<unknown>> =>
    send(`${platform.description.gatewayUrl}/api/v1/wallet/balance`, {
      headers: { authorization: `Bearer ${token}` },
    });
  // Permits may come back at a change of segment while this runs, so more are requested than there are.
  const used = [];
  for (let i = 0; i < LIMIT; i += 1) used.push(await call(i % 2 === 0 ? ownToken : childToken));
  expect(used.every((response) => response.status === 200)).toBe(true);
  expectLimited(await call(ownToken));
  expectLimited(await call(childToken));
  expect((await child.sandbox.call('/wallet/balance')).status).toBe(200);
});

test('when an address asks for too many tokens, then it is refused, right or wrong credentials alike', async () => {
  const url = `${platform.description.gatewayUrl}/api/v1/auth/token`;
  const responses = [];
  for (let i = 0; i <= TOKEN_LIMIT; i += 1)
    responses.push(await send(url, { body: { clientId: 'x', clientSecret: 'y' } }));
  expectLimited(responses.at(-1)!);
  expectLimited(await send(url, { body: parent.credentials.sandbox }));
});

test('when requests without a valid token come too often from one address, then they are limited before they get 401', async () => {
  const url = `${platform.description.gatewayUrl}/api/v1/wallet/balance`;
  const statuses = [];
  for (let i = 0; i < 301; i += 1) statuses.push((await send(url)).status);
  expect(statuses[0]).toBe(401);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});
