import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { PartnerClient } from '../clients/partner-client';
import { newScentOrder } from '../clients/scents';
import { repeat } from './http-load';
import type { LoadResult } from './http-load';

/** A cart that waits to be checked out. */
interface FilledCart {
  readonly token: string;
  readonly customerRef: string;
  readonly variantIds: readonly string[];
}

/** Of one cart, in all. */
const MOST_TRIES = 20;

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

async function fill(pool: Pool, cart: FilledCart, tries = 1): Promise<void> {
  for (const [at, variantId] of cart.variantIds.entries()) {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: `/api/v1/scent/cart/items?customerRef=${cart.customerRef}`,
      headers: { authorization: `Bearer ${cart.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ variantId, quantity: 1 }),
    });
    const text = await body.text();
    if (statusCode === 200) continue;
    // A busy machine may be refused at the door (spec §14.2); nothing is measured yet, so it waits as long as the response says.
    if (statusCode !== 503 || tries === MOST_TRIES)
      throw new Error(`an add was returned ${statusCode} ${text}`);
    await pause(Number(headers['retry-after'] ?? 1) * 1_000);
    return fill(pool, { ...cart, variantIds: cart.variantIds.slice(at) }, tries + 1);
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
  const result = await repeat({ seconds, atOnce: load.connections }, () => {
    const cart = waiting.pop();
    return cart && order(pool, cart);
  });
  await pool.close();
  return result;
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
