import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { JWK } from 'jose';
import pg from 'pg';
import type { TestPartner } from '../../clients/operator-client';
import type { StartedPlatform } from '../../platform/start-platform';
import type { TopupBody } from '../../clients/partner-client';
import { startRole } from '../role-process';
import { FLOOR_ADMIT, FLOOR_COMPLETE, FLOOR_SCHEMA } from './floor-sql';
import { rememberTokens, signingKeyOf } from './remembered-tokens';
import type { FindOwner } from './remembered-tokens';

/** The argument that makes this bundle the floor. */
export const FLOOR_ROLE = 'topup-floor';

const DATABASE = 'bench_floor';
const CHECK_VIOLATION = '23514';

interface Plan {
  readonly jwk: JWK;
  readonly databaseUrl: string;
}

/** One Express process that takes top-ups and keeps our promises with the least SQL and no service behind it. */
export function serveFloor(): void {
  process.once('message', ({ jwk, databaseUrl }: Plan) => {
    void rememberTokens(jwk).then((findOwner) => {
      const app = express();
      app.use(express.json());
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
      pool.on('error', () => undefined);
      app.post('/api/v1/orders/topup', placeOrder(findOwner, pool));
      const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
    });
  });
  process.once('disconnect', () => process.exit(0));
}

const placeOrder =
  (findOwner: FindOwner, pool: pg.Pool): express.RequestHandler =>
  async (request, response) => {
    const { partnerId } = await findOwner(request.headers.authorization);
    const body = request.body as TopupBody;
    if (!(body.amount > 0) || !/^\+\d{8,15}$/.test(body.phoneNumber)) return void response.sendStatus(400);
    const id = randomUUID();
    const { externalReference, geoScopeGlobalId, phoneNumber, amount } = body;
    const values = [id, partnerId, externalReference, geoScopeGlobalId, phoneNumber, amount];
    const placed = await pool
      .query<{ submitted_at: Date }>({ name: 'admit', text: FLOOR_ADMIT, values })
      .catch((error: { code?: string }) =>
        error.code === CHECK_VIOLATION ? undefined : Promise.reject(error),
      );
    if (!placed) return void response.sendStatus(402);
    if (placed.rowCount === 0) return void response.sendStatus(409);
    const vendorOrderId = await submitToVendor(id);
    const done = await pool.query<{ completed_at: Date }>({
      name: 'complete',
      text: FLOOR_COMPLETE,
      values: [id, vendorOrderId],
    });
    const payload = {
      orderId: id,
      partnerId,
      geoScopeGlobalId,
      externalReference,
      phoneNumber,
      amount,
      currency: 'SAR',
      status: 'Completed',
      vendorOrderId,
      submittedAt: placed.rows[0]?.submitted_at,
      completedAt: done.rows[0]?.completed_at,
    };
    response.json({ success: true, payload });
  };

/** A vendor that delivers at once. */
const submitToVendor = (orderId: string): Promise<string> => Promise.resolve(`V-${orderId}`);

/** The floor, ready for the given partners. */
export interface TopupFloor {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the floor on a database of its own in the platform's PostgreSQL. */
export async function startFloor(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
): Promise<TopupFloor> {
  const url = new URL(platform.description.databases.identity ?? '');
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  url.pathname = `/${DATABASE}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(FLOOR_SCHEMA);
  await client.query('INSERT INTO wallets (partner_id, balance) SELECT unnest($1::uuid[]), 10000000', [
    partners.map(({ id }) => id),
  ]);
  await client.end();
  const jwk = await signingKeyOf(platform, await partners[0]!.sandbox.accessToken());
  const process = await startRole(FLOOR_ROLE, { jwk, databaseUrl: url.href });
  return {
    url: process.url,
    async stop() {
      process.stop();
      await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
      await admin.end();
    },
  };
}
