import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decimal } from '@reseller/money';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import type { OperationOutcome, WalletOperation, WalletRef } from '../src/ledger/domain/wallet-operation';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import type { SpendingLimits } from '../src/limit/domain/spending-limits';
import { LimitRepository } from '../src/limit/limit.repository';
import { MIGRATIONS } from './finance-service';
import { brokenInvariants } from './invariants';
import { SpendingModel, type Outcome } from './spending-model';

const DAY_MS = 86_400_000;
const OPENING = '60.00';
const ANCESTOR = uuidv7();
const NONE: SpendingLimits = { maxOrderAmount: null, dailySpend: null, dailyOrdersPerPhone: null };

// Few keys, days and numbers, and small amounts, so that orders meet each other and their limits.
const amount = fc.integer({ min: 1, max: 1500 }).map((halalas) => (halalas / 100).toFixed(2));
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const reserve = fc.record({
  kind: fc.constant('reserve' as const),
  key,
  day: fc.constantFrom(0, 0, 0, 0, -1, -1, -2, -3),
  number: fc.constantFrom('one', 'one', 'two', undefined),
});
// All of what the order costs, half of it, or more than there is.
const part = fc.constantFrom(1, 1, 0.5, 2);
const ofHold = (kind: 'capture' | 'refund') => fc.record({ kind: fc.constant(kind), key, part });
const operation = fc.oneof(
  { weight: 6, arbitrary: reserve },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), key }) },
  { weight: 3, arbitrary: ofHold('capture') },
  { weight: 2, arbitrary: ofHold('refund') },
);
const limit = fc.option(fc.integer({ min: 0, max: 20 }).map((sar) => sar.toFixed(2)));
const setting = fc.record({
  kind: fc.constant('limits' as const),
  setter: fc.constantFrom('operator' as const, { ancestorId: ANCESTOR }),
  limits: fc.record({
    maxOrderAmount: limit,
    dailySpend: limit,
    dailyOrdersPerPhone: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
});
// A hold whose time is up, which nobody has noticed yet.
const lapse = fc.record({ kind: fc.constant('lapse' as const), key });
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
const script = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(operation, { minLength: 1, maxLength: 5 }) },
    { weight: 2, arbitrary: setting },
    { weight: 1, arbitrary: lapse },
  ),
  { minLength: 4, maxLength: 14 },
);
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

// What chance seldom makes: orders of days that the wallet's row has no more, and a lapsed hold of the day before.
const LATE_ORDERS: Script = [
  [{ kind: 'reserve', key: 'a', day: -1, number: undefined }],
  [
    { kind: 'reserve', key: 'b', day: 0, number: undefined },
    { kind: 'reserve', key: 'c', day: -3, number: undefined },
  ],
  { kind: 'lapse', key: 'a' },
  { kind: 'limits', setter: 'operator', limits: { ...NONE, dailySpend: '9.00' } },
  [{ kind: 'reserve', key: 'd', day: -3, number: undefined }],
  [{ kind: 'reserve', key: 'e', day: -1, number: undefined }],
];

describe('limits on spending (spec §17.5)', () => {
  let database: TestDatabase;
  let ledger: LedgerRepository;
  let limits: LimitRepository;

  beforeAll(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    ledger = new LedgerRepository(database.servicePool, 900_000);
    limits = new LimitRepository(database.servicePool);
  });
  afterAll(() => database.drop());

  async function openWallet(): Promise<WalletRef> {
    // As a superuser without triggers: the ledger itself refuses to be emptied.
    await database.pool.query(
      `SET session_replication_role = replica;
       TRUNCATE wallets, ledger_transactions, ledger_entries, reservations, spending_limits CASCADE;
       SET session_replication_role = origin`,
    );
    const wallet: WalletRef = { partnerId: uuidv7(), environment: 'sandbox' };
    const values = [uuidv7(), wallet.partnerId, wallet.environment];
    await database.pool.query(
      'INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, $3)',
      values,
    );
    const opening = { kind: 'credit' as const, idempotencyKey: 'opening', amount: OPENING, notes: '' };
    await ledger.apply(wallet, [opening]);
    return wallet;
  }

  const one = async (wallet: WalletRef, operation: WalletOperation): Promise<Outcome> =>
    toOutcome((await ledger.apply(wallet, [operation]))[0]);

  it('when orders, refunds and limits come in any order, then each is refused exactly when a plain model refuses it', async () => {
    const now = new Date();
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const wallet = await openWallet();
        const model = new SpendingModel(decimal(OPENING));
        for (const [at, step] of steps.entries()) {
          if ('kind' in step && step.kind === 'lapse') {
            model.lapse(step.key);
            await lapseHold(wallet, step.key);
            continue;
          }
          if ('kind' in step) {
            model.setLimits(step.setter === 'operator' ? 'operator' : 'ancestor', step.limits);
            await limits.set(wallet, step.setter, step.limits);
            continue;
          }
          const expected = step.map((each) => toModel(model, each, now));
          const operations = step.map((each, n) => toOperation(wallet, each, now, `${at}-${n}`));
          expect((await ledger.apply(wallet, operations)).map(toOutcome)).toEqual(expected);
          expect(await brokenInvariants(database.pool)).toEqual({});
        }
        const { spentToday } = await limits.spentToday(wallet);
        expect(spentToday).toBe(model.spentOn(dayOf(now, 0)).toFixed(2));
      }),
      { numRuns: 30, examples: [[LATE_ORDERS]] },
    );
  }, 120_000);

  const lapseHold = ({ partnerId }: WalletRef, name: string) =>
    database.pool.query(
      `UPDATE reservations SET expires_at = clock_timestamp() - interval '1 second' WHERE op_key = $1 AND state = 'active'`,
      [`${partnerId}${name}`],
    );

  it('when orders race for what is left of a day, then together they keep to it, and none is refused that would have fitted in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 6, maxLength: 24 }), async (amounts) => {
        const wallet = await openWallet();
        await limits.set(wallet, 'operator', { ...NONE, dailySpend: '30.00' });
        const outcomes = await Promise.all(amounts.map((each) => one(wallet, newOrder(each))));
        const spent = sumOf(amounts.filter((_, at) => outcomes[at] === 'done'));
        expect(spent.lessThanOrEqualTo(30)).toBe(true);
        for (const [at, each] of amounts.entries()) {
          if (outcomes[at] === 'done') continue;
          expect(outcomes[at]).toEqual({ refusal: 'spending_limit', limit: '30.00' });
          expect(spent.plus(each).greaterThan(30)).toBe(true);
        }
        expect(await brokenInvariants(database.pool)).toEqual({});
      }),
      { numRuns: 15 },
    );
  });

  it('when a limit is set while orders run, then it counts those that came before, and holds for all that come after', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 4, maxLength: 16 }), async (amounts) => {
        const wallet = await openWallet();
        const before = amounts.map((each) => one(wallet, newOrder(each, 'a number')));
        const set = limits.set(wallet, 'operator', { ...NONE, dailySpend: '25.00', dailyOrdersPerPhone: 3 });
        await set;
        const atSet = decimal((await limits.spentToday(wallet)).spentToday);
        const after = amounts.map((each) => one(wallet, newOrder(each, 'a number')));
        await Promise.all([...before, ...after]);
        const spent = decimal((await limits.spentToday(wallet)).spentToday);
        expect(spent.lessThanOrEqualTo(atSet.greaterThan(25) ? atSet : 25)).toBe(true);
        // Its three orders are used up by any that came before the limit, as by those that came after it.
        const hasRoom = (await ordersOf('a number')) < 3 && spent.lessThan(25);
        const last = await one(wallet, newOrder('0.01', 'a number'));
        expect(last === 'done').toBe(hasRoom);
        expect(await brokenInvariants(database.pool)).toEqual({});
      }),
      { numRuns: 15 },
    );
  });

  const ordersOf = async (recipient: string): Promise<number> => {
    const { rows } = await database.pool.query<{ n: string }>(
      'SELECT count(*) AS n FROM reservations WHERE recipient = $1',
      [recipient],
    );
    return Number(rows[0]?.n);
  };

  it('when orders for one number race, then it gets as many as it may, and one that fails or is taken back makes room for another', async () => {
    const wallet = await openWallet();
    await limits.set(wallet, { ancestorId: ANCESTOR }, { ...NONE, dailyOrdersPerPhone: 3 });
    const orders = Array.from({ length: 12 }, () => newOrder('1.00', 'a number'));
    const outcomes = await Promise.all(orders.map((order) => one(wallet, order)));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(3);
    expect(await one(wallet, newOrder('1.00', 'another'))).toBe('done');
    const [failed = '', taken = ''] = orders
      .filter((_, at) => outcomes[at] === 'done')
      .map(({ reservationKey }) => reservationKey);
    await one(wallet, { kind: 'release', reservationKey: failed });
    const charge = { reservationKey: taken, amount: '1.00', notes: '' };
    await one(wallet, { kind: 'capture', ...charge });
    await one(wallet, { kind: 'refund', operationKey: taken, ...charge });
    const again = await Promise.all([1, 2, 3].map(() => one(wallet, newOrder('1.00', 'a number'))));
    expect(again.filter((each) => each === 'done')).toHaveLength(2);
  });

  it('when a limit for each number comes after very many orders, then the first and the last of them count', async () => {
    const wallet = await openWallet();
    const numbers = ['first', ...Array.from({ length: 1_020 }, (_, n) => `number ${n}`), 'last'];
    const orders = numbers.map((number) => newOrder('0.01', number));
    await ledger.apply(wallet, orders);
    const captures = orders.map(({ reservationKey }) => ({ reservationKey, amount: '0.01', notes: '' }));
    await ledger.apply(
      wallet,
      captures.map((each) => ({ kind: 'capture', ...each })),
    );
    await limits.set(wallet, 'operator', { ...NONE, dailyOrdersPerPhone: 1 });
    const again = ['first', 'last', 'another'].map((number) => one(wallet, newOrder('0.01', number)));
    const refused = { refusal: 'recipient_limit', limit: '1' };
    expect(await Promise.all(again)).toEqual([refused, refused, 'done']);
  });

  it('when a wallet is older than its days, then the first order of the new version adds up what was spent before', async () => {
    const wallet = await openWallet();
    const charged = newOrder('7.00');
    for (const each of [charged, newOrder('8.00')]) await one(wallet, each);
    await one(wallet, {
      kind: 'capture',
      reservationKey: charged.reservationKey,
      amount: '7.00',
      notes: '',
    });
    // By the clock of who took the order its day had begun, by finance's not yet.
    await database.pool.query(
      `SET session_replication_role = replica;
       UPDATE ledger_entries SET occurred_at = occurred_at - (clock_timestamp() - date_trunc('day', clock_timestamp(), 'UTC'))
         - interval '50 minutes';
       SET session_replication_role = origin;
       UPDATE wallets SET spend_day = NULL, spent = 0`,
    );
    expect((await limits.spentToday(wallet)).spentToday).toBe('15.00');
    await limits.set(wallet, 'operator', { ...NONE, dailySpend: '20.00' });
    const refused = { refusal: 'spending_limit', limit: '20.00' };
    expect(await one(wallet, newOrder('5.01'))).toEqual(refused);
    expect(await one(wallet, newOrder('5.00'))).toBe('done');
    expect(await brokenInvariants(database.pool)).toEqual({});
  });
});

type Reserve = Extract<WalletOperation, { kind: 'reserve' }>;

function newOrder(amount: string, recipient?: string): Reserve {
  const reservationKey = uuidv7();
  return { kind: 'reserve', reservationKey, reference: reservationKey, amount, pinned: true, recipient };
}

const dayOf = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const numberOf = (day: number, number: string | undefined): string | undefined =>
  number && `${number} on ${day}`;

// A refund is an operation of its own each time; a capture that is repeated is known from elsewhere.
function toOperation({ partnerId }: WalletRef, step: Operation, now: Date, id: string): WalletOperation {
  const reservationKey = `${partnerId}${step.key}`;
  switch (step.kind) {
    case 'reserve': {
      const submittedAt = new Date(now.getTime() + step.day * DAY_MS);
      const recipient = numberOf(step.day, step.number);
      const named = { reservationKey, reference: reservationKey, pinned: false };
      return { kind: 'reserve', ...named, amount: valueOf(step), submittedAt, recipient };
    }
    case 'release':
      return { kind: 'release', reservationKey };
    case 'capture':
      return { kind: 'capture', reservationKey, amount: partOf(step), notes: '' };
    case 'refund':
      return {
        kind: 'refund',
        operationKey: `${partnerId}${id}`,
        reservationKey,
        amount: partOf(step),
        notes: '',
      };
  }
}

function toModel(model: SpendingModel, step: Operation, now: Date): Outcome {
  switch (step.kind) {
    case 'reserve': {
      const recipient = numberOf(step.day, step.number);
      return model.reserve(step.key, { day: dayOf(now, step.day), recipient, amount: valueOf(step) });
    }
    case 'release':
      return model.release(step.key);
    case 'capture':
      return model.capture(step.key, decimal(partOf(step)));
    case 'refund':
      return model.refund(step.key, decimal(partOf(step)));
  }
}

// An order costs the same each time it is requested: which one it is decides.
const valueOf = ({ key: name }: Pick<Operation, 'key'>): string => `${'abcde'.indexOf(name) * 2 + 1}.00`;

const partOf = ({ key: name, part: share }: Extract<Operation, { part: number }>): string =>
  decimal(valueOf({ key: name }))
    .times(share)
    .toFixed(2);

function toOutcome(outcome: OperationOutcome | undefined): Outcome {
  if (!outcome) throw new Error('an operation has no outcome');
  if (outcome.done) return 'done';
  const { refusal, limit } = outcome;
  return limit === undefined ? { refusal } : { refusal, limit };
}

const sumOf = (amounts: readonly string[]) => amounts.reduce((all, each) => all.plus(each), decimal('0'));
