import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { PartnerClient } from '../clients/partner-client';
import { newTopup } from '../clients/bodies';
import { repeat } from './http-load';
import type { LoadResult } from './http-load';

/** Places top-ups, each under a reference of its own, in turn for the given partners, and counts those Completed. */
export async function placeTopups(input: {
  gatewayUrl: string;
  partners: readonly PartnerClient[];
  connections: number;
  seconds: number;
}): Promise<LoadResult> {
  const tokens = await Promise.all(input.partners.map((partner) => partner.accessToken()));
  const pool = new Pool(input.gatewayUrl, { connections: input.connections, pipelining: 1 });
  let next = 0;
  const result = await repeat({ seconds: input.seconds, atOnce: input.connections }, () => {
    next += 1;
    return placeTopup(pool, tokens[next % tokens.length]!);
  });
  await pool.close();
  return result;
}

/** Places one top-up; resolves with whether it is Completed. */
export async function placeTopup(pool: Pool, token: string): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/orders/topup',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(newTopup({ externalReference: randomUUID(), amount: 5 })),
  });
  const text = await body.text();
  return statusCode === 200 && text.includes('"status":"Completed"');
}
