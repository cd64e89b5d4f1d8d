import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, ReferenceType, TransactionType } from '@reseller/contracts';
import { codeOf, eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  balanceOf,
  newPartner,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

describe('wallets', () => {
  let finance: FinanceService;

  beforeAll(async () => {
    finance = await startFinanceService();
  });
  afterAll(() => finance.stop());
  afterEach(async () => expect(await brokenInvariants(finance.database.pool)).toEqual({}));

  const credit = (partner: TestPartner, amount: string, idempotencyKey: string, notes = '') =>
    finance.wallets.creditWallet({ ...partner.ref, amount, notes, idempotencyKey }, partner.call);
  const adjust = (partner: TestPartner, amount: string, idempotencyKey: string, notes = '') =>
    finance.wallets.adjustWallet({ ...partner.ref, amount, notes, idempotencyKey }, partner.call);
  const list = (partner: TestPartner, more: object = {}) =>
    finance.wallets.listTransactions(
      {
        page: undefined,
        fromAt: undefined,
        toAt: undefined,
        transactionType: TransactionType.UNSPECIFIED,
        ...more,
      },
      partner.call,
    );

  it('when a wallet is opened ten times at once, then there is one, empty, in SAR', async () => {
    const partner = newPartner();
    // No connection may be open yet, and on a busy machine one of the ten may get none in time: it repeats, as a caller does.
    const open = () => eventually(() => finance.wallets.openWallet(partner.ref, partner.call));
    const opened = await Promise.all(Array.from({ length: 10 }, open));
    expect(new Set(opened.map(({ wallet }) => wallet?.id)).size).toBe(1);
    expect(opened[0]?.wallet).toMatchObject({
      currency: 'SAR',
      currentBalance: '0.00',
      availableBalance: '0.00',
    });
    expect((await list(partner)).page).toEqual({ page: 1, pageSize: 20, totalCount: 0, totalPages: 0 });
  });

  it('when an operator credits, then it is a Deposit with its own id, once for its key', async () => {
    const partner = await partnerWith(finance, '10.00');
    const [first, second] = await Promise.all([
      credit(partner, '5', 'k', 'thanks'),
      credit(partner, '5.00', 'k', 'thanks'),
    ]);
    expect(second).toEqual(first);
    expect(first.transaction).toMatchObject({
      transactionType: TransactionType.CREDIT,
      referenceType: ReferenceType.DEPOSIT,
      amount: '5.00',
      balanceAfter: '15.00',
      notes: 'thanks',
    });
    expect(first.transaction?.referenceId).toMatch(/^[0-9a-f-]{36}$/);
    // Which operator it was, the partner does not see (spec §18.4).
    const { operator, requestId } = partner.call;
    const decidedBy = { operator, requestId, approvedBy: undefined };
    expect((await list(partner)).transactions[0]).toEqual({ ...first.transaction, decidedBy: undefined });
    expect(first.transaction?.decidedBy).toEqual(decidedBy);
    expect(await codeOf(credit(partner, '5', 'k', 'other notes'))).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(adjust(partner, '5', 'k', 'thanks'))).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(credit(await partnerWith(finance, '1'), '7', 'k'))).toBe('ok');
  });

  it('when an adjustment takes more than is available, then it is refused and its key stays unused', async () => {
    const partner = await partnerWith(finance, '10.00');
    await finance.funds.reserveFunds(reserveRequest(partner, '4.00'), partner.call);
    expect(await codeOf(adjust(partner, '-6.01', 'k'))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    const { transaction } = await adjust(partner, '-6.00', 'k');
    expect(transaction).toMatchObject({
      transactionType: TransactionType.DEBIT,
      referenceType: ReferenceType.ADJUSTMENT,
      amount: '6.00',
      balanceAfter: '4.00',
    });
    expect(await balanceOf(finance, partner)).toEqual(['4.00', '0.00']);
    expect(await codeOf(adjust(partner, '0', 'zero'))).toBe('VALIDATION_FAILED');
    expect(await codeOf(credit(partner, '-1', 'minus'))).toBe('VALIDATION_FAILED');
  });

  it('when the environments of a partner move money, then neither sees the other', async () => {
    const live = await partnerWith(finance, '10.00');
    const ref = { ...live.ref, environment: Environment.SANDBOX };
    expect(await codeOf(finance.funds.checkFunds(ref, live.call))).toBe('NOT_FOUND_WALLET');
    await finance.wallets.openWallet(ref, live.call);
    expect((await finance.funds.checkFunds(ref, live.call)).availableBalance).toBe('0.00');
    expect(await balanceOf(finance, live)).toEqual(['10.00', '10.00']);
  });

  it('when lines are listed, then they are newest first, each once over all pages, under every filter', async () => {
    const partner = await partnerWith(finance, '100.00');
    for (let index = 0; index < 11; index += 1)
      await adjust(partner, index % 3 === 0 ? '2.00' : '-1.00', `k${index}`);
    const all = (await list(partner, { page: { page: 1, pageSize: 100 } })).transactions;
    expect(all).toHaveLength(12);
    const ids = all.map(({ transactionId }) => BigInt(transactionId));
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? 1 : -1)));
    for (const type of [TransactionType.UNSPECIFIED, TransactionType.DEBIT, TransactionType.CREDIT]) {
      const expected = all.filter(
        (one) => type === TransactionType.UNSPECIFIED || one.transactionType === type,
      );
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => list(partner, { transactionType: type, page: { page, pageSize: 4 } })),
      );
      expect(pages.flatMap(({ transactions }) => transactions)).toEqual(expected);
      expect(pages[0]?.page?.totalCount).toBe(expected.length);
      expect(pages[3]?.transactions).toEqual([]);
    }
  });

  it('when lines are filtered by time, then the start counts and the end does not, and the count agrees', async () => {
    const partner = await partnerWith(finance, '100.00');
    for (const key of ['a', 'b', 'c', 'd']) await adjust(partner, key === 'b' ? '-1' : '1', key);
    const seconds = `UPDATE ledger_entries SET occurred_at = timestamptz '2126-01-01T00:00:00Z' + seq * interval '1 second'`;
    await withoutAppendOnly(
      finance,
      `${seconds} WHERE wallet_id = (SELECT id FROM wallets WHERE partner_id = '${partner.partnerId}')`,
    );
    const at = (second: number) => new Date(Date.UTC(2126, 0, 1, 0, 0, second));
    const lines = async (more: object) => {
      const { transactions, page } = await list(partner, more);
      expect(page?.totalCount).toBe(transactions.length);
      return transactions.map(({ occurredAt }) => occurredAt?.getUTCSeconds());
    };
    expect(await lines({ fromAt: at(2), toAt: at(4) })).toEqual([3, 2]);
    expect(await lines({ fromAt: at(3), transactionType: TransactionType.DEBIT })).toEqual([3]);
    expect(await lines({ toAt: at(4), transactionType: TransactionType.CREDIT })).toEqual([2, 1]);
    expect(await lines({ fromAt: at(4), toAt: at(2) })).toEqual([]);
    await withoutAppendOnly(
      finance,
      `UPDATE wallets SET last_entry_at = (SELECT max(occurred_at) FROM ledger_entries WHERE wallet_id = wallets.id) WHERE partner_id = '${partner.partnerId}'`,
    );
    // As where the clock was set back.
    await adjust(partner, '1', 'e');
    expect(await lines({ fromAt: at(5) })).toEqual([5, 5]);
  });

  it('when an order was captured and refunded, then its lines are found by its id, oldest first', async () => {
    const partner = await partnerWith(finance, '100.00');
    const request = reserveRequest(partner, '30.00', { orderGlobalId: `ORD-${uuidv7()}` });
    await finance.funds.reserveFunds(request, partner.call);
    const { reservationKey, orderGlobalId } = request;
    await finance.funds.captureFunds(
      { ...partner.ref, reservationKey, amount: '30.00', notes: 'Top-up' },
      partner.call,
    );
    const operationKey = uuidv7();
    await finance.funds.refundFunds(
      { ...partner.ref, reservationKey, operationKey, amount: '30.00', notes: '' },
      partner.call,
    );
    const { transactions } = await finance.wallets.listTransactionsByReference(
      { referenceId: orderGlobalId },
      partner.call,
    );
    expect(
      transactions.map((one) => [
        one.transactionType,
        one.referenceType,
        one.amount,
        one.balanceAfter,
        one.notes,
      ]),
    ).toEqual([
      [TransactionType.DEBIT, ReferenceType.ORDER, '30.00', '70.00', 'Top-up'],
      [TransactionType.CREDIT, ReferenceType.REFUND, '30.00', '100.00', ''],
    ]);
    expect(transactions.every((one) => one.orderGoodsVatAmount === undefined)).toBe(true);
  });

  it('when a movement was acknowledged, then every balance read that starts after it shows it', async () => {
    const partner = await partnerWith(finance, '0.01');
    // Reads are kept in flight all the time, so that each has a statement to join wrongly.
    let isDone = false;
    const noise = Array.from({ length: 8 }, async () => {
      while (!isDone) await balanceOf(finance, partner);
    });
    for (let index = 0; index < 100; index += 1) {
      const { transaction } = await credit(partner, '0.01', `k${index}`);
      expect(await balanceOf(finance, partner)).toEqual([
        transaction?.balanceAfter,
        transaction?.balanceAfter,
      ]);
    }
    isDone = true;
    await Promise.all(noise);
  });
});

async function withoutAppendOnly({ database }: FinanceService, sql: string): Promise<void> {
  await database.pool.query(
    `SET session_replication_role = replica; ${sql}; SET session_replication_role = origin`,
  );
}
