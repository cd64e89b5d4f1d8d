import type { AddressInfo } from 'node:net';
import express from 'express';
import type { JWK } from 'jose';
import type { TestPartner } from '../../clients/operator-client';
import type { StartedPlatform } from '../../platform/start-platform';
import { startRole } from '../role-process';
import type { RoleProcess } from '../role-process';
import { rememberTokens, signingKeyOf } from './remembered-tokens';

/** The argument that makes this bundle the bare Express app. */
export const EXPRESS_ROLE = 'bare-express';

interface Plan {
  readonly jwk: JWK;
  readonly body: unknown;
}

/** A bare Express app that knows the token and returns one JSON. */
export function serveBareExpress(): void {
  process.once('message', ({ jwk, body }: Plan) => {
    void rememberTokens(jwk).then((findOwner) => {
      const app = express();
      app.get('/api/v1/wallet/balance', async (request, response) => {
        await findOwner(request.headers.authorization);
        response.json(body);
      });
      const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
    });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Starts it with what the platform returns to the partner's read of its balance. */
export async function startBareExpress(
  platform: StartedPlatform,
  { sandbox }: TestPartner,
): Promise<RoleProcess> {
  const { text } = await sandbox.call('/wallet/balance');
  const jwk = await signingKeyOf(platform, await sandbox.accessToken());
  return startRole(EXPRESS_ROLE, { jwk, body: JSON.parse(text) as unknown });
}
