import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { OperationOutcome, WalletRef } from '../src/ledger/domain/wallet-operation';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import { BalanceRepository } from '../src/wallet/balance.repository';
import { brokenInvariants } from './invariants';
import { LedgerModel, type Expected, type ModelOperation } from './ledger-model';

// Few keys, small amounts and often the same one, so that operations meet and repeat each other.
const amount = fc.oneof(
  fc.constant('5.00'),
  fc.integer({ min: 1, max: 3000 }).map((halalas) => (halalas / 100).toFixed(2)),
);
const reservationKey = fc.constantFrom('a', 'b', 'c', 'd');
const operationKey = fc.constantFrom('x', 'y', 'z');
const notes = fc.constantFrom('', 'n');

const cents = (min: number, max: number) =>
  fc.integer({ min, max }).map((halalas) => (halalas / 100).toFixed(2));
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  goods: cents(1, 700),
  goodsVat: cents(0, 100),
  commission: cents(0, 100),
  commissionVat: cents(0, 20),
});
const lines = fc
  .array(line, { minLength: 1, maxLength: 2 })
  .map((some) => some.map((one, n) => ({ lineId: `01900000-0000-7000-8000-00000000000${n}`, ...one })));

const operation: fc.Arbitrary<ModelOperation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), reservationKey, lines, notes }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      reservationKey,
      amount,
      reference: fc.constant('order'),
      pinned: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pin' as const), reservationKey }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), reservationKey }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('capture' as const), reservationKey, amount, notes }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      operationKey,
      reservationKey,
      amount,
      notes,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      idempotencyKey: operationKey,
      amount,
      notes,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      idempotencyKey: operationKey,
      amount: amount.map((value) => `-${value}`),
      notes,
    }),
  },
);
const batch = fc.array(operation, { minLength: 1, maxLength: 8 });
const script = fc.array(
  fc.oneof({ weight: 6, arbitrary: batch }, { weight: 1, arbitrary: fc.constant('time passes' as const) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

describe('the ledger against a model (spec §3.4)', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase({ migrations: path.join(__dirname, '../prisma/migrations') });
  });
  afterAll(() => database.drop());

  it('when any operations come in any batches, then outcomes, balance and invariants are those of a single thread', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const { wallet, ledger, balances } = await openWallet(database);
        const model = new LedgerModel();
        const opening: ModelOperation = {
          kind: 'credit',
          idempotencyKey: 'opening',
          amount: '50.00',
          notes: '',
        };
        model.apply(opening);
        await ledger.apply(wallet, [opening]);
        for (const step of steps) {
          if (step === 'time passes') {
            model.lapseAll();
            await lapseHolds(database);
          } else {
            const operations = step.map((one) => within(wallet, one));
            const expected = operations.map((one) => model.apply(one));
            // Alone, and as among other wallets.
            const outcomes =
              step.length % 2 === 0
                ? await ledger.apply(wallet, operations)
                : (await ledger.applyToMany([{ wallet, operations }]))[0];
            expect(outcomes?.map(toComparable)).toEqual(expected.map(comparable));
          }
          const [balance] = await balances.readMany([wallet]);
          expect(balance).toMatchObject({
            posted: model.posted.toFixed(2),
            available: model.available.toFixed(2),
          });
          expect(await brokenInvariants(database.pool)).toEqual({});
        }
      }),
      { numRuns: 80 },
    );
  }, 120_000);
});

// Keys of orders are unique in the platform, so each wallet of the test has its own.
function within(wallet: WalletRef, operation: ModelOperation): ModelOperation {
  const prefix = wallet.partnerId;
  if (operation.kind === 'refund') {
    const { operationKey, reservationKey } = operation;
    return {
      ...operation,
      operationKey: `${prefix}${operationKey}`,
      reservationKey: `${prefix}${reservationKey}`,
    };
  }
  if (!('reservationKey' in operation)) return operation;
  return { ...operation, reservationKey: `${prefix}${operation.reservationKey}` };
}

async function openWallet(database: TestDatabase) {
  // As a superuser without triggers: the ledger itself refuses to be emptied.
  await database.pool.query(
    `SET session_replication_role = replica; TRUNCATE wallets, ledger_transactions, ledger_entries, reservations CASCADE;
     SET session_replication_role = origin`,
  );
  const wallet: WalletRef = { partnerId: uuidv7(), environment: 'sandbox' };
  await database.pool.query('INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, $3)', [
    uuidv7(),
    wallet.partnerId,
    wallet.environment,
  ]);
  return {
    wallet,
    ledger: new LedgerRepository(database.servicePool, 900_000),
    balances: new BalanceRepository(database.servicePool),
  };
}

async function lapseHolds({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    "UPDATE reservations SET expires_at = clock_timestamp() WHERE state = 'active' AND expires_at < 'infinity'",
  );
}

function toComparable(outcome: OperationOutcome): object {
  if (!outcome.done) return { refusal: outcome.refusal };
  const { balanceAfter, available } = outcome.result;
  return { balanceAfter, available };
}

function comparable(expected: Expected): object {
  return 'refusal' in expected ? expected : { balanceAfter: '', available: '', ...expected };
}
