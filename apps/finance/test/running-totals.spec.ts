import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import type { WalletOperation, WalletRef } from '../src/ledger/domain/wallet-operation';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import { LedgerReportRepository, type LedgerReport } from '../src/statement/ledger-report.repository';
import { MIGRATIONS } from './finance-service';

const cents = fc.integer({ min: 1, max: 5_000 }).map((amount) => (amount / 100).toFixed(2));
const amounts = fc.record({
  goods: cents,
  goodsVat: cents,
  commission: fc.oneof(fc.constant('0.00'), cents),
  commissionVat: cents,
});
/** What is posted: an adjustment, or a scent order that is settled and perhaps given back. */
const posting = fc.oneof(
  cents.map((amount) => ({ adjust: amount })),
  cents.map((amount) => ({ adjust: `-${amount}` })),
  fc.record({ order: amounts, isGivenBack: fc.boolean() }),
);
type Posting = typeof posting extends fc.Arbitrary<infer T> ? T : never;

let database: TestDatabase;
let ledger: LedgerRepository;
let reports: LedgerReportRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  ledger = new LedgerRepository(database.servicePool, 900_000);
  reports = new LedgerReportRepository(database.servicePool);
});
afterAll(() => database.drop());

async function openWallet(): Promise<WalletRef & { id: string }> {
  const wallet = { id: uuidv7(), partnerId: uuidv7(), environment: 'live' } as const;
  await database.pool.query('INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, $3)', [
    wallet.id,
    wallet.partnerId,
    wallet.environment,
  ]);
  await apply(wallet, [{ kind: 'credit', idempotencyKey: 'opening', amount: '1000.00', notes: '' }]);
  return wallet;
}

async function apply(wallet: WalletRef, operations: WalletOperation[]): Promise<void> {
  const outcomes = await ledger.apply(wallet, operations);
  expect(outcomes.every(({ done }) => done)).toBe(true);
}

function operationsOf(posting: Posting): WalletOperation[] {
  if ('adjust' in posting) {
    return [{ kind: 'adjust', idempotencyKey: uuidv7(), amount: posting.adjust, notes: '' }];
  }
  const { order, isGivenBack } = posting;
  const [reservationKey, lineId] = [`SC-${uuidv7()}`, uuidv7()];
  const amount = (Number(order.goods) + Number(order.goodsVat)).toFixed(2);
  const lines = [{ lineId, quantity: 1, ...order }];
  const settled: WalletOperation[] = [
    { kind: 'reserve', reservationKey, amount, reference: reservationKey, pinned: true },
    { kind: 'settle', reservationKey, lines, notes: '' },
  ];
  if (!isGivenBack) return settled;
  return [...settled, { kind: 'refund_units', reservationKey, operationKey: uuidv7(), lines, notes: '' }];
}

const EVER = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z') };

/** What a period's lines come to when they are added up one by one. */
async function sumsOf(walletId: string, { afterSeq, upToSeq }: LedgerReport): Promise<object> {
  const { rows } = await database.pool.query<{ totalDebits: string; totalCredits: string }>(
    `SELECT coalesce(-sum(least(amount, 0)), 0)::numeric(20, 2) AS "totalDebits",
            coalesce(sum(greatest(amount, 0)), 0)::numeric(20, 2) AS "totalCredits"
     FROM ledger_entries WHERE wallet_id = $1 AND seq > $2 AND seq <= $3`,
    [walletId, `${afterSeq}`, `${upToSeq}`],
  );
  return rows[0] ?? {};
}

async function expectSums(wallet: WalletRef & { id: string }): Promise<void> {
  const { rows } = await database.pool.query<{ at: Date }>(
    `SELECT date_trunc('milliseconds', occurred_at) AS at FROM ledger_entries WHERE wallet_id = $1 ORDER BY seq`,
    [wallet.id],
  );
  const moments = [EVER.from, ...rows.map(({ at }) => at), EVER.to];
  for (const [index, from] of moments.entries()) {
    for (const to of moments.slice(index + 1)) {
      const report = (await reports.report(wallet, { from, to }))!;
      expect(report).toMatchObject(await sumsOf(wallet.id, report));
    }
  }
}

describe('running totals', () => {
  it('when anything is posted in any batches, then every line says what the debits up to it come to, and every period adds up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(posting, { maxLength: 4 }), { maxLength: 4 }), async (batches) => {
        const wallet = await openWallet();
        for (const batch of batches) await apply(wallet, batch.flatMap(operationsOf));
        const { rows } = await database.pool.query(
          `SELECT * FROM (SELECT seq, debit_total, -sum(least(amount, 0)) OVER (ORDER BY seq) AS debits
             FROM ledger_entries WHERE wallet_id = $1) AS l WHERE debit_total <> debits`,
          [wallet.id],
        );
        expect(rows).toEqual([]);
        await expectSums(wallet);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('when a wallet has lines from before there were totals, then its next movement begins them, and every period adds up', async () => {
    const wallet = await openWallet();
    await apply(wallet, operationsOf({ adjust: '-30.00' }));
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query('ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entry_debit_total');
    await client.query('UPDATE ledger_entries SET debit_total = NULL WHERE wallet_id = $1', [wallet.id]);
    await client.query('UPDATE wallets SET debit_total = NULL WHERE id = $1', [wallet.id]);
    await client.query('COMMIT');
    client.release();
    await expectSums(wallet);
    await apply(wallet, [...operationsOf({ adjust: '-12.50' }), ...operationsOf({ adjust: '4.00' })]);
    const { rows } = await database.pool.query(
      'SELECT debit_total FROM ledger_entries WHERE wallet_id = $1 ORDER BY seq',
      [wallet.id],
    );
    expect(rows.map((row: { debit_total: unknown }) => row.debit_total)).toEqual([
      null,
      null,
      '42.50',
      '42.50',
    ]);
    await expectSums(wallet);
  });
});
