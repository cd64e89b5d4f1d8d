import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeExpired } from '@reseller/database';
import type { EnvironmentName, PartnerScope } from '@reseller/rpc';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import path from 'node:path';
import { Registry } from 'prom-client';
import { v7 as newId } from 'uuid';
import {
  getReconciliation,
  listDifferences,
  reconcileOrders,
  type ReconciliationDeps,
} from '../src/partner-reconciliation/reconcile-orders';
import { observeReconciliations } from '../src/partner-reconciliation/reconciliation-metrics';
import { ReconciliationRepository } from '../src/partner-reconciliation/reconciliation.repository';
import { Turns } from '../src/partner-reconciliation/turns';
import { PRODUCTS } from '../src/products';
import { retentionRules } from '../src/retention';

const DAY_MS = 86_400_000;
const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
const TIME = {
  product: 'Topup',
  fromAt: new Date('2026-01-15T00:00:00Z'),
  toAt: new Date('2026-01-16T00:00:00Z'),
};

let database: TestDatabase;
const metrics = new Registry();
let deps: ReconciliationDeps;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  // Orders are planted as they ended.
  await database.pool.query('ALTER TABLE orders DISABLE TRIGGER USER');
  deps = {
    reconciliations: new ReconciliationRepository(database.servicePool, PRODUCTS),
    turns: new Turns(2),
    observeReconciliation: observeReconciliations(metrics),
  };
});
afterAll(() => database.drop());

const someScope = (partnerId = newId(), environment: EnvironmentName = 'sandbox'): PartnerScope =>
  ({ partnerId, environment }) as PartnerScope;

interface Planted {
  readonly reference: string;
  readonly amount?: string;
  readonly status?: string;
  readonly product?: string;
  readonly at?: string;
}

/** Orders of a partner, of the day that is reconciled unless they say otherwise. */
const plant = ({ partnerId, environment }: PartnerScope, orders: readonly Planted[]) =>
  database.pool.query(
    `INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
       request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
     SELECT uuidv7(), 'G-' || reference, 's', $1, 'P', $2, coalesce(product, 'Topup'), reference, '{}', 'GEO-SA',
       coalesce(amount, '10.00')::numeric, 'SAR', coalesce(status, 'Completed'), coalesce(at, '2026-01-15T12:00:00Z'), now()
     FROM jsonb_to_recordset($3::jsonb) AS o (reference text, amount text, status text, product text, at timestamptz)`,
    [partnerId, environment, JSON.stringify(orders)],
  );

const fileOf = (...rows: string[]): string => ['externalReference,amount,status', ...rows, ''].join('\n');
async function* partsOf(file: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
const reconcile = (scope: PartnerScope, file: string, time = TIME) =>
  reconcileOrders(deps, scope, time, partsOf(file));
const differencesOf = async (scope: PartnerScope, id: string, page = 1, pageSize = 100) =>
  listDifferences(deps, scope, id, { kind: undefined, page: { page, pageSize } });
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

describe('comparing a partner’s record with our orders (spec §17.4)', () => {
  it('when each kind of difference is there, then each is counted and listed, and orders of others and other times are not', async () => {
    const scope = someScope();
    await plant(scope, [
      { reference: 'same' },
      { reference: 'more', amount: '12.50' },
      { reference: 'both', amount: '1.00', status: 'Failed' },
      { reference: 'ours' },
      { reference: 'first', at: '2026-01-15T00:00:00Z' },
      { reference: 'before', at: '2026-01-14T23:59:59.999999Z' },
      { reference: 'after', at: '2026-01-16T00:00:00Z' },
      { reference: 'esim', product: 'Esim' },
    ]);
    await plant(someScope(scope.partnerId, 'live'), [{ reference: 'live' }]);
    await plant(someScope(), [{ reference: 'theirs' }]);
    const file = fileOf(
      'same,10,Completed',
      'more,12,',
      'both,2.00,Completed',
      'after,10,Completed',
      'theirs,1,x',
      'first,10.0,',
    );
    const made = await reconcile(scope, file);
    expect(made).toMatchObject({
      ...TIME,
      rows: 6,
      matched: 2,
      differences: { missingHere: 2, missingThere: 1, amountDiffers: 2, statusDiffers: 1 },
    });
    const { differences, page } = await differencesOf(scope, made.id);
    expect(differences).toEqual([
      {
        kind: 'missingHere',
        externalReference: 'after',
        theirs: { row: 4, amount: '10.00', status: 'Completed' },
        ours: null,
      },
      {
        kind: 'missingHere',
        externalReference: 'theirs',
        theirs: { row: 5, amount: '1.00', status: 'x' },
        ours: null,
      },
      {
        kind: 'missingThere',
        externalReference: 'ours',
        theirs: null,
        ours: { amount: '10.00', status: 'Completed', orderGlobalId: 'G-ours' },
      },
      {
        kind: 'amountDiffers',
        externalReference: 'both',
        theirs: { row: 3, amount: '2.00', status: 'Completed' },
        ours: { amount: '1.00', status: 'Failed', orderGlobalId: 'G-both' },
      },
      {
        kind: 'amountDiffers',
        externalReference: 'more',
        theirs: { row: 2, amount: '12.00', status: null },
        ours: { amount: '12.50', status: 'Completed', orderGlobalId: 'G-more' },
      },
      {
        kind: 'statusDiffers',
        externalReference: 'both',
        theirs: { row: 3, amount: '2.00', status: 'Completed' },
        ours: { amount: '1.00', status: 'Failed', orderGlobalId: 'G-both' },
      },
    ]);
    expect(page.totalCount).toBe(6);
    expect(await getReconciliation(deps, scope, made.id)).toEqual(made);
  });

  it('when references are of any letters, then the database and we order them alike', async () => {
    const scope = someScope();
    const references = ['a', 'B', 'b', 'ü', 'Ä', '\uffff', '\u{10000}', '🌍', '-', '_', 'a b', 'ab'];
    await plant(
      scope,
      references.map((reference) => ({ reference })),
    );
    const made = await reconcile(
      scope,
      fileOf(...references.map((reference) => `${reference},10,Completed`)),
    );
    expect([made.matched, made.differences]).toEqual([
      references.length,
      { missingHere: 0, missingThere: 0, amountDiffers: 0, statusDiffers: 0 },
    ]);
  });

  it('when there are more differences than a block has, then every page is a part of the same list', async () => {
    const scope = someScope();
    await plant(
      scope,
      Array.from({ length: 230 }, (_, n) => ({ reference: `ours-${n}` })),
    );
    const made = await reconcile(scope, fileOf(...Array.from({ length: 120 }, (_, n) => `theirs-${n},1,`)));
    const all: string[] = [];
    for (let page = 1; page <= 12; page += 1) {
      const { differences } = await differencesOf(scope, made.id, page, 33);
      all.push(...differences.map(({ kind, externalReference }) => `${kind} ${externalReference}`));
    }
    const sorted = [...all].sort();
    expect(all).toEqual(sorted);
    expect(new Set(all).size).toBe(350);
    const only = await listDifferences(deps, scope, made.id, {
      kind: 'missingThere',
      page: { page: 3, pageSize: 100 },
    });
    expect([only.page.totalCount, only.differences.length]).toEqual([230, 30]);
    expect((await differencesOf(scope, made.id, 99)).differences).toEqual([]);
  });

  it('when somebody else reads it, then it is not found', async () => {
    const scope = someScope();
    const { id } = await reconcile(scope, fileOf());
    for (const other of [someScope(), someScope(scope.partnerId, 'live')])
      expect(codeOf(await getReconciliation(deps, other, id).catch((error: unknown) => error))).toBe(
        'NOT_FOUND_RECONCILIATION',
      );
  });

  it('when reconciliations end, then they are counted by what came of them, with their seconds', async () => {
    metrics.resetMetrics();
    const scope = someScope();
    await reconcile(scope, fileOf());
    await reconcile(scope, fileOf('a,1,'));
    await reconcile(scope, fileOf('a,one,')).catch(() => undefined);
    const shown = await metrics.getSingleMetricAsString('partner_reconciliation_duration_seconds');
    const counts = [...shown.matchAll(/_count\{result="(\w+)"\} (\d+)/g)].map(([, result, n]) => [result, n]);
    expect(counts).toEqual([
      ['Same', '1'],
      ['Different', '1'],
      ['VALIDATION_FAILED', '1'],
    ]);
  });

  it('when the file is at fault, then nothing is kept', async () => {
    const scope = someScope();
    const refused = await reconcile(scope, fileOf('a,one,')).catch((error: unknown) => error);
    expect(codeOf(refused)).toBe('VALIDATION_FAILED');
    const { rows } = await database.pool.query('SELECT FROM partner_reconciliations WHERE partner_id = $1', [
      scope.partnerId,
    ]);
    expect(rows).toEqual([]);
  });

  it('when there are 1,000, then one more is refused, also of several at once', async () => {
    const scope = someScope();
    await database.pool.query(
      `INSERT INTO partner_reconciliations (id, partner_id, environment, product, from_at, to_at, created_at, row_count, matched,
         missing_here, missing_there, amount_differs, status_differs)
       SELECT uuidv7(CASE WHEN n > 998 THEN interval '-31 days' ELSE '0' END), $1, 'sandbox', 'Topup', 'yesterday', 'today', now(), 0, 0, 0, 0, 0, 0
       FROM generate_series(1, 1500) n`,
      [scope.partnerId],
    );
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => reconcile(scope, fileOf())));
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []));
    expect(refused).toEqual(['BUSINESS_RESOURCE_LIMIT', 'BUSINESS_RESOURCE_LIMIT']);
  });

  it('when 30 days have passed, then it is not found before it is removed, and is removed', async () => {
    const scope = someScope();
    const { id } = await reconcile(scope, fileOf('a,1,'));
    const age = async (days: number): Promise<string> => {
      const { rows } = await database.pool.query<{ id: string }>(
        `WITH aged AS (SELECT uuidv7(-make_interval(days => $2)) AS id),
           d AS (UPDATE partner_reconciliation_differences SET reconciliation_id = aged.id FROM aged WHERE reconciliation_id = $1)
         UPDATE partner_reconciliations r SET id = aged.id FROM aged WHERE r.id = $1 RETURNING r.id`,
        [id, days],
      );
      return rows[0]?.id ?? '';
    };
    const aged = await age(31);
    const failed = await getReconciliation(deps, scope, aged).catch((error: unknown) => error);
    expect(codeOf(failed)).toBe('NOT_FOUND_RECONCILIATION');
    const kept = await reconcile(scope, fileOf('a,1,'));
    const rules = retentionRules({
      OUTBOX_RETENTION_MS: DAY_MS,
      INBOX_RETENTION_MS: DAY_MS,
      RECONCILIATION_RETENTION_MS: DAY_MS,
      CREATE_RESULTS_RETENTION_MS: DAY_MS,
      VENDOR_JOURNAL_RETENTION_MS: DAY_MS,
    });
    const own = rules.filter(({ table }) => table.startsWith('partner_reconciliation'));
    await removeExpired(own, { pool: database.servicePool, log: silentLog });
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM partner_reconciliations WHERE partner_id = $1
       UNION ALL SELECT reconciliation_id FROM partner_reconciliation_differences WHERE reconciliation_id = ANY ($2)`,
      [scope.partnerId, [aged, kept.id]],
    );
    expect(rows.map((row) => row.id)).toEqual([kept.id, kept.id]);
  });
});
