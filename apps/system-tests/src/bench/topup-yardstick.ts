import path from 'node:path';
import { OperatorClient } from '../clients/operator-client';
import type { TestPartner } from '../clients/operator-client';
import { expectSuccess } from '../clients/response';
import { newTopup } from '../clients/bodies';
import { findRoot } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { statementsOfOrder, writePgbenchScript } from './pgbench-script';
import { runPgbench } from './pgbench';
import { captureStatements } from './statement-capture';
import { createYardstickDatabase } from './yardstick-database';

/** The top-up rows' yardstick: the SQL of an order, ready to be run by pgbench on one or on all of the partners. */
export interface TopupYardstick {
  /** Statements of one order. */
  readonly statements: number;
  /** The script for so many partners. */
  script(partnerCount: number): Promise<string>;
  run(partnerCount: number, clients: number, seconds: number): Promise<{ count: number; seconds: number }>;
  /** How many of the orders that pgbench placed ended Completed; all of them, or the script did not do an order's work. */
  countCompleted(): Promise<number>;
  drop(): Promise<void>;
}

/** Captures the statements of one order of the platform and brings up a database for them. */
export async function prepareTopupYardstick(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  program: string,
): Promise<TopupYardstick> {
  const { databases } = platform.description;
  const [ordersUrl = '', financeUrl = ''] = [databases['orders-saga'], databases.finance];
  const first = partners[0]!;
  // One order beforehand, so that the services have prepared their statements.
  expectSuccess(await first.sandbox.topup(newTopup()));
  let order = expectSuccess(await first.sandbox.topup(newTopup()));
  const logged = await captureStatements({
    adminUrl: ordersUrl,
    logFile: path.join(path.dirname(platform.file), 'logs/postgres.log'),
    work: async () => {
      order = expectSuccess(await first.sandbox.topup(newTopup({ amount: 5 })));
    },
  });
  const names = [ordersUrl, financeUrl].map((url) => new URL(url).pathname.slice(1));
  const statements = statementsOfOrder(logged, order, names);
  if (statements.length === 0) throw new Error('PostgreSQL’s log holds no statement of the order');
  const migrations = (app: string): string => path.join(findRoot(), 'apps', app, 'prisma/migrations');
  const database = await createYardstickDatabase([
    { schema: 'orders', url: ordersUrl, migrations: migrations('orders-saga') },
    { schema: 'finance', url: financeUrl, migrations: migrations('finance') },
  ]);
  const { client } = database;
  await client.query(
    `CREATE TABLE bench_partners AS SELECT n::integer AS n, id::uuid AS partner_id, global_id AS partner_global_id
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (id, global_id, n)`,
    [partners.map((partner) => partner.id), partners.map((partner) => partner.globalId)],
  );
  await client.query('ALTER TABLE bench_partners ADD PRIMARY KEY (n)');
  const completed = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM orders WHERE status = 'Completed' AND external_reference LIKE 'bench-%'`,
    );
    return Number(rows[0]?.count);
  };
  const scripts = new Map<number, string>();
  const scriptFor = async (partnerCount: number): Promise<string> => {
    const script =
      scripts.get(partnerCount) ??
      (await writePgbenchScript(
        client,
        statements,
        { ...order, reference: order.externalReference },
        partnerCount,
      ));
    scripts.set(partnerCount, script);
    return script;
  };
  return {
    statements: statements.length,
    countCompleted: completed,
    drop: database.drop,
    script: scriptFor,
    run: async (partnerCount, clients, seconds) =>
      runPgbench({ program, url: database.url, script: await scriptFor(partnerCount), clients, seconds }),
  };
}

/** Partners with enough money for any run, all made through the operators' API. */
export async function makePartners(platform: StartedPlatform, count: number): Promise<TestPartner[]> {
  const operator = new OperatorClient(platform.description);
  const partners: TestPartner[] = [];
  while (partners.length < count) {
    const batch = Math.min(10, count - partners.length);
    partners.push(
      ...(await Promise.all(
        Array.from({ length: batch }, () => operator.newPartner({ deposit: 10_000_000 })),
      )),
    );
  }
  return partners;
}
