import { DifferenceState, FundsState } from '@reseller/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import {
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';

const call = { requestId: 'test' };
let finance: FinanceService;
let partner: TestPartner;
/** Global ids of a held, a charged and a settled order. */
const held = `TU-${uuidv7()}`;
const charged = `TU-${uuidv7()}`;
const settled = `SC-${uuidv7()}`;

beforeAll(async () => {
  finance = await startFinanceService({ RECONCILE_INTERVAL_MS: '0' });
  partner = await partnerWith(finance, '1000.00');
  for (const key of [held, charged, settled]) {
    await finance.funds.reserveFunds(reserveRequest(partner, '23.00', { reservationKey: key }), partner.call);
  }
  await finance.funds.captureFunds(
    { ...partner.ref, reservationKey: charged, amount: '23.00', notes: '' },
    partner.call,
  );
  await finance.funds.refundFunds(
    { ...partner.ref, reservationKey: charged, operationKey: 'r', amount: '3.00', notes: '' },
    partner.call,
  );
  const line = {
    lineId: uuidv7(),
    quantity: 2,
    goodsAmount: '20.00',
    goodsVatAmount: '3.00',
    commissionAmount: '2.00',
    commissionVatAmount: '0.30',
  };
  await finance.settlements.settleOrder(
    { ...partner.ref, reservationKey: settled, notes: '', lines: [line] },
    partner.call,
  );
  await finance.settlements.refundUnits(
    {
      ...partner.ref,
      reservationKey: settled,
      operationKey: 'u',
      notes: '',
      lines: [{ lineId: line.lineId, quantity: 1 }],
    },
    partner.call,
  );
});

afterAll(() => finance.stop());

/** Changes data past every rule of the database, as a mishap would. */
async function force(sql: string): Promise<void> {
  const client = await finance.database.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rowCount } = await client.query(sql);
    expect(rowCount).toBe(1);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

async function run() {
  const { checks } = await finance.reconciliation.runReconciliation({}, call);
  expect(checks.map(({ isComplete, failure }) => [isComplete, failure])).toEqual(
    checks.map(() => [true, undefined]),
  );
  return checks;
}

async function open(): Promise<string[]> {
  const { differences } = await finance.reconciliation.listDifferences(
    { state: DifferenceState.OPEN, offset: 0, limit: 100 },
    call,
  );
  return differences
    .map(({ check, kind, expected, found }) => `${check} ${kind}: ${expected}, not ${found}`)
    .sort();
}

describe('the ledger reconciled with itself', () => {
  it('when all is well, then every check comes through all its subjects and finds nothing', async () => {
    const checks = await run();
    expect(checks.map(({ check, compared }) => [check, compared])).toEqual([
      ['wallets', 1],
      ['entries', 1],
      ['movements', 5],
      ['captures', 2],
      ['settlements', 1],
    ]);
    expect(await open()).toEqual([]);
  });

  // Deposit 1000, charge 23, refund 3, settlement -23 +2.30, units back +11.50 -1.15.
  it.each([
    [
      'a wallet has more than its entries',
      `UPDATE wallets SET posted = posted + 1`,
      `UPDATE wallets SET posted = posted - 1`,
      ['wallets posted: 969.65, not 970.65'],
    ],
    [
      'a wallet holds what no reservation holds',
      `UPDATE wallets SET held = held + 5`,
      `UPDATE wallets SET held = held - 5`,
      ['wallets held: 23.00, not 28.00'],
    ],
    [
      'a reservation ended without its wallet',
      `UPDATE reservations SET state = 'released', ended_at = now() WHERE op_key = '${held}'`,
      `UPDATE reservations SET state = 'active', ended_at = NULL WHERE op_key = '${held}'`,
      ['wallets held: 0.00, not 23.00'],
    ],
    [
      'an entry was changed',
      `UPDATE ledger_entries SET amount = -22 WHERE reference_id = '${charged}' AND wallet_id IS NOT NULL AND amount = -23`,
      `UPDATE ledger_entries SET amount = -23 WHERE reference_id = '${charged}' AND wallet_id IS NOT NULL AND amount = -22`,
      [
        'captures charged: 23.00, not 22.00',
        'entries balance: 970.65, not 969.65',
        'entries chain: each line follows from the one before, not broken at seq 2',
        'movements captured: 22.00, not 23.00',
        'movements sum: 0.00, not 1.00',
      ],
    ],
    [
      'an entry is gone from the middle',
      `UPDATE ledger_entries SET wallet_id = '${uuidv7()}' WHERE seq = 2`,
      `UPDATE ledger_entries SET wallet_id = (SELECT id FROM wallets) WHERE seq = 2`,
      [
        'captures charged: 23.00, not 0.00',
        'entries balance: 992.65, not 969.65',
        'entries chain: each line follows from the one before, not broken at seq 3',
        'entries lines: 7, not 6',
      ],
    ],
    [
      'a refund was forgotten',
      `UPDATE reservations SET refunded = 0 WHERE op_key = '${charged}'`,
      `UPDATE reservations SET refunded = 3 WHERE op_key = '${charged}'`,
      ['captures refunded: 0.00, not 3.00'],
    ],
    [
      'a line’s running total is not the debits up to it',
      `UPDATE ledger_entries SET debit_total = debit_total + 1 WHERE seq = 4`,
      `UPDATE ledger_entries SET debit_total = debit_total - 1 WHERE seq = 4`,
      ['entries chain: each line follows from the one before, not broken at seq 4, 5'],
    ],
    [
      'a wallet’s running total is not its last line’s',
      `UPDATE wallets SET debit_total = debit_total + 1`,
      `UPDATE wallets SET debit_total = debit_total - 1`,
      ['wallets debit_total: 47.15, not 48.15'],
    ],
    [
      'a settled line costs more than was charged',
      `UPDATE settlement_lines SET goods_amount = 21`,
      `UPDATE settlement_lines SET goods_amount = 20`,
      ['settlements goods: 24.00, not 23.00'],
    ],
    [
      'a unit that came back is not refunded',
      `UPDATE settlement_lines SET refunded_quantity = 2`,
      `UPDATE settlement_lines SET refunded_quantity = 1`,
      ['settlements refunded in full: 23.00, not 11.50'],
    ],
  ])(
    'when %s, then exactly that is listed, once, until it is repaired',
    async (_what, damage, repair, expected) => {
      await force(damage);
      await run();
      expect(await open()).toEqual(expected);
      await run();
      expect(await open()).toHaveLength(expected.length);
      await force(repair);
      await run();
      expect(await open()).toEqual([]);
    },
  );

  it('when an operator accepts a difference, then it is open no more until its figures are others, and once they are as before it is not', async () => {
    const byOlga = { ...call, operator: 'Olga' };
    const only = async (state: DifferenceState) => {
      const list = await finance.reconciliation.listDifferences({ state, offset: 0, limit: 9 }, call);
      return list.differences.map(({ kind, expected, found }) => `${kind}: ${expected}, not ${found}`);
    };
    await force('UPDATE wallets SET held = held + 5');
    await run();
    const page = { state: DifferenceState.OPEN, offset: 0, limit: 9 };
    const [seen] = (await finance.reconciliation.listDifferences(page, call)).differences;
    const accept = (found: string, notes = 'ticket 4711') =>
      finance.reconciliation.acceptDifference(
        { differenceId: seen?.id ?? '', expected: '23.00', found, notes },
        byOlga,
      );
    await expect(accept('27.00')).rejects.toMatchObject({ code: 'CONFLICT_DIFFERENCE_CHANGED' });
    await expect(accept('28.00', ' ')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const { difference } = await accept('28.00');
    expect(difference).toMatchObject({
      id: seen?.id,
      state: DifferenceState.ACCEPTED,
      acceptance: { expected: '23.00', found: '28.00', acceptedBy: 'Olga', notes: 'ticket 4711' },
    });
    expect(await accept('28.00', 'other words')).toEqual({ difference });
    const reopen = () => finance.reconciliation.reopenDifference({ differenceId: seen?.id ?? '' }, byOlga);
    const reopened = await reopen();
    expect(reopened.difference).toMatchObject({ state: DifferenceState.OPEN, acceptance: undefined });
    expect(await reopen()).toEqual(reopened);
    await accept('28.00');
    for (const [damage, isOpen] of [
      ['SET held = held', false],
      ['SET held = held + 1', true],
      ['SET held = held - 1', false],
    ] as const) {
      await force(`UPDATE wallets ${damage}`);
      expect((await run())[0]).toMatchObject({ check: 'wallets', openDifferences: Number(isOpen) });
      expect(await only(DifferenceState.OPEN)).toEqual(isOpen ? ['held: 23.00, not 29.00'] : []);
      expect(await only(DifferenceState.ACCEPTED)).toEqual(isOpen ? [] : ['held: 23.00, not 28.00']);
    }
    await force('UPDATE wallets SET held = held - 5');
    await run();
    await expect(accept('28.00')).rejects.toMatchObject({ code: 'CONFLICT_DIFFERENCE_CHANGED' });
    await force('UPDATE wallets SET held = held + 5');
    expect((await run())[0]).toMatchObject({ openDifferences: 1 });
    await force('UPDATE wallets SET held = held - 5');
    expect((await run())[0]).toMatchObject({ openDifferences: 0 });
  });

  it('when a wallet has thousands of entries, then they are compared in parts, and a break in any is found', async () => {
    const rich = await partnerWith(finance, '1.00');
    const wallet = { partnerId: rich.partnerId, environment: 'live' } as const;
    const credits = Array.from({ length: 2500 }, (_, n) => ({
      kind: 'credit' as const,
      idempotencyKey: `credit ${n}`,
      amount: '1.00',
      notes: '',
    }));
    await new LedgerRepository(finance.database.servicePool, 60_000).apply(wallet, credits);
    const entriesOf = (checks: Awaited<ReturnType<typeof run>>) =>
      checks.find(({ check }) => check === 'entries');
    expect(entriesOf(await run())).toMatchObject({ compared: 4, openDifferences: 0 });
    await force(`UPDATE ledger_entries SET balance_after = 5 WHERE seq = 1700`);
    expect(entriesOf(await run())).toMatchObject({ openDifferences: 1 });
    const [found] = (
      await finance.reconciliation.listDifferences(
        { check: 'entries', state: DifferenceState.OPEN, offset: 0, limit: 9 },
        call,
      )
    ).differences;
    expect(found?.subject).toMatch(/\/1$/);
    expect(found?.found).toBe('broken at seq 1700, 1701');
    await force(`UPDATE ledger_entries SET balance_after = 1700 WHERE seq = 1700`);
    expect(entriesOf(await run())).toMatchObject({ openDifferences: 0 });
  });

  it('when money moves all the while, then nothing is reported that is not so', async () => {
    const startedAt = new Date();
    let isMoving = true;
    const reconcile = (async () => {
      let runs = 0;
      for (; isMoving || runs < 3; runs += 1) await run();
      return runs;
    })();
    const busy = await partnerWith(finance, '1000.00');
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; n < 40; n += 1) {
          const request = reserveRequest(busy, '1.00', { reservationKey: `TU-${worker}-${uuidv7()}` });
          await finance.funds.reserveFunds(request, busy.call);
          const ref = { ...busy.ref, reservationKey: request.reservationKey };
          if (n % 3 === 0) await finance.funds.releaseFunds(ref, busy.call);
          else await finance.funds.captureFunds({ ...ref, amount: '1.00', notes: '' }, busy.call);
          if (n % 3 === 1) {
            await finance.funds.refundFunds(
              { ...ref, operationKey: uuidv7(), amount: '0.50', notes: '' },
              busy.call,
            );
          }
        }
      }),
    );
    isMoving = false;
    expect(await reconcile).toBeGreaterThan(2);
    const { rows } = await finance.database.pool.query(
      'SELECT * FROM reconciliation_differences WHERE first_seen_at >= $1',
      [startedAt],
    );
    expect(rows).toEqual([]);
  });
});

describe('the funds of orders', () => {
  it('when orders are named by keys, then those that are known are returned', async () => {
    const { funds } = await finance.orderFunds.listOrderFunds(
      { keys: [held, charged, settled, 'TU-none'] },
      call,
    );
    expect(
      funds.map(({ key, state, captured, refunded }) => [key, state, captured, refunded]).sort(),
    ).toEqual(
      [
        [held, FundsState.HELD, '0.00', '0.00'],
        [charged, FundsState.CHARGED, '23.00', '3.00'],
        [settled, FundsState.CHARGED, '23.00', '11.50'],
      ].sort(),
    );
  });

  it('when keys are read page by page, then every funded key comes once', async () => {
    const keys: string[] = [];
    for (let page: string[] | undefined; page?.length !== 0; keys.push(...page)) {
      ({ keys: page } = await finance.orderFunds.listFundedKeys(
        { afterKey: keys.at(-1) ?? '', limit: 50 },
        call,
      ));
    }
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining([held, charged, settled]));
  });
});
