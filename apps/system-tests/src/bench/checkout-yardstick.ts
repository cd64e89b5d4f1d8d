import path from 'node:path';
import { expectSuccess } from '../clients/response';
import type { TestPartner } from '../clients/operator-client';
import { addToCart, newScentOrder, orderScents, readCart } from '../clients/scents';
import { findRoot } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { runPgbench } from './pgbench';
import { statementsOf, writePgbenchScript } from './pgbench-script';
import { captureStatements } from './statement-capture';
import { createYardstickDatabase } from './yardstick-database';

/** The SQL of a checkout, ready to be run by pgbench on carts that are there already. */
export interface CheckoutYardstick {
  readonly statements: number;
  readonly script: string;
  /** Makes so many carts for the runs to come. */
  fill(count: number): Promise<void>;
  run(clients: number, seconds: number): Promise<{ count: number; seconds: number }>;
  /** How many orders pgbench paid for. */
  countPaid(): Promise<number>;
  drop(): Promise<void>;
}

const SERVICES = [
  ['orders', 'orders-saga'],
  ['scent', 'scent-commerce'],
  ['finance', 'finance'],
] as const;

/** Captures the statements of one checkout of the platform and brings up a database for them. */
export async function prepareCheckoutYardstick(
  platform: StartedPlatform,
  input: {
    partners: readonly TestPartner[];
    variantIds: readonly string[];
    lines: number;
    program: string;
    marks: string[];
  },
): Promise<CheckoutYardstick> {
  const { partners, variantIds, lines, program } = input;
  const { databases } = platform.description;
  const captured = await capture(platform, partners[0]!, variantIds.slice(0, lines));
  const names = SERVICES.map(([, app]) => new URL(databases[app] ?? '').pathname.slice(1));
  const { order, cartId, customerRef } = captured;
  const ids = [order.externalReference, order.id, order.orderGlobalId, order.partnerId, customerRef];
  const statements = statementsOf(captured.logged, [...ids, ...input.marks], names);
  if (statements.length === 0) throw new Error('PostgreSQL’s log holds no statement of the checkout');
  const database = await createYardstickDatabase(
    SERVICES.map(([schema, app]) => ({
      schema,
      url: databases[app] ?? '',
      migrations: path.join(findRoot(), 'apps', app, 'prisma/migrations'),
    })),
  );
  const { client } = database;
  const bought = variantIds.slice(0, lines);
  const variantColumns = bought.map((_, at) => `variant_${at}`);
  await client.query(`
    CREATE TABLE bench_carts (n bigint PRIMARY KEY, cart_id uuid, customer_ref text,
      partner_id uuid, partner_global_id text, ${variantColumns.map((name) => `${name} uuid`).join(', ')});
    CREATE SEQUENCE bench_next_cart`);
  await client.query(
    `CREATE TABLE bench_partners AS SELECT n::integer AS n, id::uuid AS partner_id, global_id AS partner_global_id
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (id, global_id, n)`,
    [partners.map(({ id }) => id), partners.map(({ globalId }) => globalId)],
  );
  const script = await writePgbenchScript(
    client,
    statements,
    {
      partnerId: order.partnerId,
      partnerGlobalId: partners[0]!.globalId,
      reference: order.externalReference,
      orderGlobalId: order.orderGlobalId,
      taken: {
        names: new Map([
          [cartId, 'cart_id'],
          [customerRef, 'customer_ref'],
          ...bought.map((id, at): [string, string] => [id, `variant_${at}`]),
        ]),
        // In a select of its own, so that it is counted on once and not for each row.
        from: `bench_carts WHERE n = (SELECT nextval('bench_next_cart'))`,
      },
    },
    partners.length,
  );
  return {
    statements: statements.length,
    script,
    drop: database.drop,
    run: (clients, seconds) => runPgbench({ program, url: database.url, script, clients, seconds }),
    async fill(count) {
      // As many changes as the captured cart had: its version is what a checkout holds a cart to.
      await client.query(
        `WITH numbered AS (SELECT g AS n, uuidv7() AS cart_id, 'bench-' || uuidv7() AS customer_ref, p.partner_id,
             p.partner_global_id, ARRAY(SELECT ($4::uuid[])[(g * $5 + i) % cardinality($4::uuid[]) + 1]
               FROM generate_series(0, $5::int - 1) AS i) AS variants
             FROM (SELECT coalesce(max(n), 0) AS last FROM bench_carts) AS b,
               generate_series(b.last + 1, b.last + $1::int) AS g JOIN bench_partners p ON p.n = g % $2::int + 1),
           made AS (INSERT INTO carts (id, partner_id, environment, customer_ref, version, line_count, had_lines)
             SELECT m.cart_id, m.partner_id, 'sandbox', m.customer_ref, c.version, c.line_count, c.had_lines
             FROM numbered m, carts c WHERE c.id = $3),
           filled AS (INSERT INTO cart_lines (cart_id, variant_id, quantity, position)
             SELECT m.cart_id, v.id, 1, v.at FROM numbered m, unnest(m.variants) WITH ORDINALITY AS v (id, at))
         INSERT INTO bench_carts
         SELECT n, cart_id, customer_ref, partner_id, partner_global_id,
           ${variantColumns.map((_, at) => `variants[${at + 1}]`).join(', ')} FROM numbered`,
        [count, partners.length, cartId, variantIds, lines],
      );
      await client.query('ANALYZE');
    },
    async countPaid() {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM orders WHERE status = 'Processing' AND external_reference LIKE 'bench-%'`,
      );
      return Number(rows[0]?.count);
    },
  };
}

async function capture(platform: StartedPlatform, { sandbox }: TestPartner, variantIds: readonly string[]) {
  const fill = async (customerRef: string): Promise<string> => {
    for (const variantId of variantIds) await addToCart(sandbox, variantId, 1, customerRef);
    return (await readCart(sandbox, customerRef)).id;
  };
  // Beforehand, so that the services have prepared their statements.
  for (const customerRef of ['capture-warm-1', 'capture-warm-2']) {
    await fill(customerRef);
    expectSuccess(await orderScents(sandbox, newScentOrder({ customerRef })));
  }
  const customerRef = `capture-${Date.now()}`;
  const cartId = await fill(customerRef);
  const body = newScentOrder({ customerRef });
  const logged = await captureStatements({
    adminUrl: platform.description.databases['orders-saga'] ?? '',
    logFile: path.join(path.dirname(platform.file), 'logs/postgres.log'),
    work: async () => void expectSuccess(await orderScents(sandbox, body)),
  });
  return { logged, cartId, customerRef, order: expectSuccess(await orderScents(sandbox, body)) };
}
