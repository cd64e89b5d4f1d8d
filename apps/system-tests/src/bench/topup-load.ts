import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { PartnerClient } from '../clients/partner-client';
import { newTopup } from '../clients/bodies';
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
  const latencies: number[] = [];
  let next = 0;
  let failures = 0;
  const startedAt = performance.now();
  const until = startedAt + input.seconds * 1000;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const token = tokens[next % tokens.length]!;
      next += 1;
      const sentAt = performance.now();
      if (await placeOne(pool, token)) latencies.push(performance.now() - sentAt);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: input.connections }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    count: latencies.length,
    seconds,
    failures,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

async function placeOne(pool: Pool, token: string): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/orders/topup',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(newTopup({ externalReference: randomUUID(), amount: 5 })),
  });
  const text = await body.text();
  return statusCode === 200 && text.includes('"status":"Completed"');
}
