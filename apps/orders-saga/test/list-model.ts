import type { ClientBase, Pool } from 'pg';
import { PRODUCTS } from '../src/products';

/** What narrows a list; null does not. */
export interface ListQuery {
  readonly partner: string | null;
  readonly environment: string | null;
  readonly product: string | null;
  readonly status: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** An order as the lists see it. */
export interface ListedOrder {
  readonly partner: string;
  readonly environment: string;
  readonly product: string;
  readonly status: string;
  readonly at: string;
}

interface Listed {
  readonly total: string;
  readonly ids: string[] | null;
}

/** The statement that makes orders out of a JSON array of ListedOrder, with what else the table's checks ask for. */
export const INSERT_ORDERS = `
  INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
    request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
  SELECT id, id::text, 'saga', partner, 'P', environment, product, id::text, '{}', CASE product WHEN 'Scent' THEN NULL ELSE 'GEO-SA' END, 10, 'SAR',
    status, at, at
  FROM (SELECT gen_random_uuid() AS id, o.* FROM jsonb_to_recordset($1::jsonb)
    AS o (partner uuid, environment text, product text, status text, at timestamptz)) AS given`;

/** What the service returns. */
export async function list(client: ClientBase | Pool, query: ListQuery): Promise<Listed> {
  const { partner, environment, product, status, from, to, limit, offset } = query;
  const products = product === null ? partner && PRODUCTS.map(({ name }) => name) : [product];
  const { rows } = await client.query<Listed>(
    'SELECT total, ids FROM list_orders($1, $2, $3, $4, $5, $6, $7, $8)',
    [partner, environment, products, status, from, to, limit, offset],
  );
  return { total: rows[0]!.total, ids: rows[0]!.ids };
}

/** What there is, by counting and sorting all of it. */
export async function listNaively(client: ClientBase | Pool, query: ListQuery): Promise<Listed> {
  const { partner, environment, product, status, from, to, limit, offset } = query;
  const { rows } = await client.query<Listed>(
    `WITH found AS (
       SELECT id, submitted_at FROM orders
       WHERE partner_id = coalesce($1, partner_id) AND environment = coalesce($2, environment)
         AND product = coalesce($3, product) AND status = coalesce($4, status)
         AND NOT (product = 'Scent' AND status = 'Pending' AND id NOT IN (SELECT order_id FROM scent_orders))
         AND submitted_at >= coalesce($5, '-infinity'::timestamptz) AND submitted_at < coalesce($6, 'infinity'::timestamptz)
     ), page AS (SELECT * FROM found ORDER BY submitted_at DESC, id DESC OFFSET $8 LIMIT $7)
     SELECT (SELECT count(*) FROM found) AS total,
       (SELECT array_agg(id ORDER BY submitted_at DESC, id DESC) FROM page) AS ids`,
    [partner, environment, product, status, from, to, limit, offset],
  );
  return { total: rows[0]!.total, ids: rows[0]!.ids };
}
