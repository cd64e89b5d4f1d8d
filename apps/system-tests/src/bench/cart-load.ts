import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { expectSuccess } from '../clients/response';
import type { TestPartner } from '../clients/operator-client';
import type { Page } from '../clients/resources';
import { repeat } from './http-load';
import type { LoadResult } from './http-load';

const CLIENTS = 16;

/** A variant that can be bought. */
export async function findVariant({ sandbox }: TestPartner): Promise<string> {
  const page = expectSuccess(
    await sandbox.call<Page<{ id: string }>>('/scent/variants?availability=Available'),
  );
  const first = page.items[0];
  if (!first) throw new Error('the catalog has no variant that is Available');
  return first.id;
}

/** Adds to a cart and previews its checkout, a new customer each time, for so many seconds. */
export async function fillAndPreview(input: {
  gatewayUrl: string;
  partner: TestPartner;
  variantId: string;
  seconds: number;
}): Promise<LoadResult> {
  const token = await input.partner.sandbox.accessToken();
  const pool = new Pool(input.gatewayUrl, { connections: CLIENTS, pipelining: 1 });
  const body = JSON.stringify({ variantId: input.variantId, quantity: 1 });
  const load = { seconds: input.seconds, atOnce: CLIENTS };
  const result = await repeat(load, () => addAndPreview(pool, { token, body }));
  await pool.close();
  return result;
}

async function addAndPreview(pool: Pool, { token, body }: { token: string; body: string }): Promise<boolean> {
  const authorization = `Bearer ${token}`;
  const query = `customerRef=${randomUUID()}`;
  const added = await pool.request({
    method: 'POST',
    path: `/api/v1/scent/cart/items?${query}`,
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  await added.body.dump();
  const previewed = await pool.request({
    method: 'GET',
    path: `/api/v1/scent/cart/checkout-preview?${query}`,
    headers: { authorization },
  });
  const text = await previewed.body.text();
  return added.statusCode === 200 && previewed.statusCode === 200 && text.includes('"quantity":1');
}
