import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { PartnerClient } from '../clients/partner-client';
import { newScentOrder } from '../clients/scents';
import type { LoadResult } from './http-load';

/** A cart that waits to be checked out. */
export interface FilledCart {
  readonly token: string;
  readonly customerRef: string;
  readonly variantIds: readonly string[];
}

/** What carts are filled with: so many lines each, the next of the variants in their order, so that carts meet on some. */
export interface CheckoutLoad {
  readonly gatewayUrl: string;
  readonly partners: readonly PartnerClient[];
  readonly variantIds: readonly string[];
  readonly lines: number;
  readonly connections: number;
}

/** Fills so many carts, each a customer's own, in turn for the partners. */
export async function fillCarts(load: CheckoutLoad, count: number): Promise<FilledCart[]> {
  const tokens = await Promise.all(load.partners.map((partner) => partner.accessToken()));
  const pool = new Pool(load.gatewayUrl, { connections: load.connections, pipelining: 1 });
  const carts = Array.from({ length: count }, (_, at) => ({
    token: tokens[at % tokens.length]!,
    customerRef: `bench-${randomUUID()}`,
    variantIds: Array.from(
      { length: load.lines },
      (_line, line) => load.variantIds[(at * load.lines + line) % load.variantIds.length]!,
    ),
  }));
  const waiting = [...carts];
  const work = async (): Promise<void> => {
    for (let cart = waiting.pop(); cart; cart = waiting.pop()) await fill(pool, cart);
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  await pool.close();
  return carts;
}

async function fill(pool: Pool, cart: FilledCart): Promise<void> {
  for (const variantId of cart.variantIds) {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/api/v1/scent/cart/items?customerRef=${cart.customerRef}`,
      headers: { authorization: `Bearer ${cart.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ variantId, quantity: 1 }),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`an add was returned ${statusCode} ${text}`);
  }
}

/** Checks carts out for so many seconds, or until none is left; counts the orders that are paid. */
export async function checkOut(
  load: CheckoutLoad,
  carts: readonly FilledCart[],
  seconds: number,
): Promise<LoadResult> {
  const pool = new Pool(load.gatewayUrl, { connections: load.connections, pipelining: 1 });
  const waiting = [...carts];
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const work = async (): Promise<void> => {
    for (let cart = waiting.pop(); cart && performance.now() < until; cart = waiting.pop()) {
      const sentAt = performance.now();
      if (await order(pool, cart)) latencies.push(performance.now() - sentAt);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  const took = (performance.now() - startedAt) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  return { count: latencies.length, seconds: took, failures, p99 };
}

async function order(pool: Pool, { token, customerRef }: FilledCart): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/orders/scent',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(newScentOrder({ customerRef })),
  });
  const text = await body.text();
  return statusCode === 200 && text.includes('"status":"Processing"');
}
