import type { JWK } from 'jose';
import pg from 'pg';
import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import { startYardstick } from './express-yardstick';
import { readRepeatedly } from './http-load';
import type { LoadResult } from './http-load';
import { inTurn, toRow } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';

const READERS = 32;

/** Balance reads through the gateway, against a bare Express app. */
export async function benchBalance(
  platform: StartedPlatform,
  partner: TestPartner,
  options: BenchOptions,
): Promise<BenchRow> {
  const { gatewayUrl } = platform.description;
  const response = await partner.sandbox.call('/wallet/balance');
  const yardstick = await startYardstick({
    jwk: await signingKeyOf(platform, await partner.sandbox.accessToken()),
    body: JSON.parse(response.text) as unknown,
  });
  const read = async (base: string, seconds: number): Promise<LoadResult> =>
    readRepeatedly({
      url: `${base}/api/v1/wallet/balance`,
      token: await partner.sandbox.accessToken(),
      connections: READERS,
      seconds,
    });
  const warmUp = Math.min(5, options.seconds);
  await read(gatewayUrl, warmUp);
  await read(yardstick.url, warmUp);
  const result = await inTurn(
    options.rounds,
    () => read(gatewayUrl, options.seconds),
    () => read(yardstick.url, options.seconds),
  );
  yardstick.stop();
  return toRow(
    `GET wallet balance, ${READERS} connections`,
    'requests/s',
    0.35,
    0,
    result,
    'a bare Express app',
  );
}

/** The public key that verifies a token, from where identity keeps it. */
async function signingKeyOf(platform: StartedPlatform, token: string): Promise<JWK> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid: string;
  };
  const client = new pg.Client({ connectionString: platform.description.databases.identity });
  await client.connect();
  try {
    const { rows } = await client.query<{ jwk: JWK }>(
      'SELECT public_jwk AS jwk FROM signing_keys WHERE key_id = $1',
      [header.kid],
    );
    if (!rows[0]) throw new Error(`identity has no key ${header.kid}`);
    return rows[0].jwk;
  } finally {
    await client.end();
  }
}
