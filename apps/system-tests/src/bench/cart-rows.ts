import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { expectSuccess } from '../clients/response';
import { OperatorClient } from '../clients/operator-client';
import type { TestPartner } from '../clients/operator-client';
import type { Page } from '../clients/resources';
import { findRoot } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import { findPgbench, runPgbench } from './pgbench';
import { statementsOf, writePgbenchScript, type ScriptSubject } from './pgbench-script';
import type { BenchRow } from './report';
import { captureStatements } from './statement-capture';
import { createYardstickDatabase } from './yardstick-database';

const CLIENTS = 16;
const LEAST = 0.25;
const DISPLAY_CURRENCY = 'USD';

interface Yardstick {
  run(seconds: number): Promise<{ count: number; seconds: number }>;
  /** How many carts pgbench made with a line in them. */
  countCarts(): Promise<number>;
  drop(): Promise<void>;
}

/** Adds to a cart and previews its checkout, for a customer of its own each time, against pgbench running the same statements. */
export async function benchCart(platform: StartedPlatform, options: BenchOptions): Promise<BenchRow> {
  const operator = new OperatorClient(platform.description);
  // With a display currency and marketing: the dearest cart there is.
  const settings = { displayCurrency: DISPLAY_CURRENCY, marketingEnabled: true };
  const partner = await operator.newPartner({ settings });
  const variantId = await findVariant(partner);
  const program = findPgbench();
  const yardstick = program ? await prepare(platform, { partner, variantId, program, options }) : undefined;
  say('adding to carts and previewing them …');
  const fill = (seconds: number): Promise<LoadResult> =>
    fillCarts({ gatewayUrl: platform.description.gatewayUrl, partner, variantId, seconds });
  try {
    await fill(Math.min(5, options.seconds));
    await yardstick?.run(Math.min(3, options.seconds));
    const before = (await yardstick?.countCarts()) ?? 0;
    const result = await inTurn(
      options.rounds,
      () => fill(options.seconds),
      yardstick && (() => yardstick.run(options.seconds)),
    );
    const made = ((await yardstick?.countCarts()) ?? 0) - before;
    // A yardstick that does not do a cart's work would be too easy: it must not pass unnoticed.
    if (made < result.yardstickCount) {
      throw new Error(
        `pgbench made ${made} carts in ${result.yardstickCount} transactions: its script is wrong`,
      );
    }
    return toRow(
      `Cart add + preview, ${CLIENTS} connections`,
      'pairs/s',
      LEAST,
      0,
      result,
      'pgbench, same SQL',
    );
  } finally {
    await yardstick?.drop();
  }
}

async function findVariant({ sandbox }: TestPartner): Promise<string> {
  const page = expectSuccess(
    await sandbox.call<Page<{ id: string }>>('/scent/variants?availability=Available'),
  );
  const first = page.items[0];
  if (!first) throw new Error('the catalog has no variant that is Available');
  return first.id;
}

async function prepare(
  platform: StartedPlatform,
  input: { partner: TestPartner; variantId: string; program: string; options: BenchOptions },
): Promise<Yardstick> {
  const { partner, variantId, program, options } = input;
  const { databases } = platform.description;
  const [scentUrl = '', financeUrl = ''] = [databases['scent-commerce'], databases.finance];
  const customerRef = `capture-${randomUUID()}`;
  const pair = async (ref: string): Promise<void> => {
    const query = `customerRef=${ref}`;
    const body = { variantId, quantity: 1 };
    expectSuccess(await partner.sandbox.call(`/scent/cart/items?${query}`, { body }));
    expectSuccess(await partner.sandbox.call(`/scent/cart/checkout-preview?${query}`));
  };
  // Once beforehand, so that the services have prepared their statements.
  await pair('warm-up');
  const logged = await captureStatements({
    adminUrl: scentUrl,
    logFile: path.join(path.dirname(platform.file), 'logs/postgres.log'),
    work: () => pair(customerRef),
  });
  const subject: ScriptSubject = {
    partnerId: partner.id,
    partnerGlobalId: partner.globalId,
    reference: customerRef,
    constants: [variantId],
  };
  const names = [scentUrl, financeUrl].map((url) => new URL(url).pathname.slice(1));
  const statements = statementsOf(logged, [customerRef, DISPLAY_CURRENCY], names);
  say(`an add with its preview is ${statements.length} SQL statements`);
  const migrations = (app: string): string => path.join(findRoot(), 'apps', app, 'prisma/migrations');
  const database = await createYardstickDatabase([
    { schema: 'scent', url: scentUrl, migrations: migrations('scent-commerce') },
    { schema: 'finance', url: financeUrl, migrations: migrations('finance') },
  ]);
  const { client } = database;
  await client.query(
    `CREATE TABLE bench_partners AS SELECT 1 AS n, $1::text::uuid AS partner_id, $2::text AS partner_global_id`,
    [partner.id, partner.globalId],
  );
  await client.query('ANALYZE');
  const script = await writePgbenchScript(client, statements, subject, 1);
  if (options.showsScript) say(script);
  return {
    drop: database.drop,
    run: (seconds) => runPgbench({ program, url: database.url, script, clients: CLIENTS, seconds }),
    countCarts: async () => {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM carts c JOIN cart_lines l ON l.cart_id = c.id WHERE c.customer_ref LIKE 'bench-%'`,
      );
      return Number(rows[0]?.count);
    },
  };
}

async function fillCarts(input: {
  gatewayUrl: string;
  partner: TestPartner;
  variantId: string;
  seconds: number;
}): Promise<LoadResult> {
  const token = await input.partner.sandbox.accessToken();
  const pool = new Pool(input.gatewayUrl, { connections: CLIENTS, pipelining: 1 });
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const until = startedAt + input.seconds * 1000;
  const body = JSON.stringify({ variantId: input.variantId, quantity: 1 });
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      if (await addAndPreview(pool, { token, body })) latencies.push(performance.now() - sentAt);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  return { count: latencies.length, seconds, failures, p99 };
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
