import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { importJWK, jwtVerify } from 'jose';
import type { JWK } from 'jose';

/** The argument that makes this bundle the yardstick's server. */
export const YARDSTICK_ROLE = 'express-yardstick';

/** What the yardstick verifies and responds. */
export interface YardstickPlan {
  readonly jwk: JWK;
  readonly body: unknown;
}

/** A bare Express app that verifies the bearer token by jose on every request and returns one JSON. */
export function serveYardstick(): void {
  process.once('message', (plan: YardstickPlan) => {
    void importJWK(plan.jwk, plan.jwk.alg ?? 'EdDSA').then((key) => {
      const app = express();
      app.get('/api/v1/wallet/balance', async (request, response) => {
        const token = (request.headers.authorization ?? '').slice('Bearer '.length);
        await jwtVerify(token, key, { audience: 'partner-api' });
        response.json(plan.body);
      });
      const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
    });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Starts the yardstick in a process of its own; it ends with `stop` or with this process. */
export async function startYardstick(plan: YardstickPlan): Promise<{ url: string; stop(): void }> {
  const child: ChildProcess = fork(__filename, [YARDSTICK_ROLE]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number));
    child.once('exit', (code) => reject(new Error(`the yardstick ended early (exit ${code})`)));
    child.send(plan);
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
