import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionType, type SettlementLine } from '@reseller/contracts';
import { decimal } from '@reseller/money';
import { codeOf } from '@reseller/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import {
  balanceOf,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

const line = (amounts: [string, string, string, string], quantity = 1): SettlementLine => {
  const [goodsAmount, goodsVatAmount, commissionAmount, commissionVatAmount] = amounts;
  return { lineId: uuidv7(), quantity, goodsAmount, goodsVatAmount, commissionAmount, commissionVatAmount };
};

const sum = (...values: string[]): string =>
  values.reduce((total, value) => total.plus(value), decimal(0)).toFixed(2);

describe('settling scent orders', () => {
  let finance: FinanceService;

  beforeAll(async () => {
    finance = await startFinanceService();
  });
  afterEach(async () => {
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });
  afterAll(() => finance.stop());

  /** Reserves the sum of the lines and settles them. */
  async function settled(partner: TestPartner, lines: SettlementLine[]) {
    const amount = sum(...lines.flatMap(({ goodsAmount, goodsVatAmount }) => [goodsAmount, goodsVatAmount]));
    const reserve = reserveRequest(partner, amount);
    await finance.funds.reserveFunds(reserve, partner.call);
    const request = { ...partner.ref, reservationKey: reserve.reservationKey, lines, notes: 'order' };
    const response = await finance.settlements.settleOrder(request, partner.call);
    return { request, response };
  }

  const linesOf = async (partner: TestPartner) => {
    const { transactions } = await finance.wallets.listTransactions(
      { page: undefined, fromAt: undefined, toAt: undefined, transactionType: TransactionType.UNSPECIFIED },
      partner.call,
    );
    return transactions;
  };

  it('when an order is settled, then charge and commission are posted with its VAT figures', async () => {
    const partner = await partnerWith(finance, '1000.00');
    const { request, response } = await settled(partner, [
      line(['200.00', '30.00', '20.00', '3.00'], 2),
      line(['50.00', '0.00', '5.00', '0.75']),
    ]);
    expect(response.balanceAfter).toBe('748.75');
    expect(await balanceOf(finance, partner)).toEqual(['748.75', '748.75']);
    const [commission, charge] = await linesOf(partner);
    expect(charge).toMatchObject({
      amount: '280.00',
      balanceAfter: '720.00',
      referenceId: request.reservationKey,
      orderGoodsVatAmount: '30.00',
      orderCommissionVatAmount: '3.75',
      orderTotalAmountWithVat: '280.00',
      orderTotalCommissionWithVat: '28.75',
    });
    expect(commission).toMatchObject({
      amount: '28.75',
      balanceAfter: '748.75',
      orderGoodsVatAmount: undefined,
    });
    expect(charge?.occurredAt).toEqual(response.settledAt);

    expect(await finance.settlements.settleOrder(request, partner.call)).toEqual(response);
    // An order that began in a version without notes is repeated with them (spec §3.6); the lines keep what they had.
    expect(await finance.settlements.settleOrder({ ...request, notes: 'other' }, partner.call)).toEqual(
      response,
    );
    expect((await linesOf(partner)).slice(0, 2).map(({ notes }) => notes)).toEqual(['order', 'order']);
    const others = { ...request, lines: [line(['200.00', '30.00', '20.00', '3.00'], 2)] };
    expect(await codeOf(finance.settlements.settleOrder(others, partner.call))).toBe(
      'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('when fifty settle one order at once, then it is charged once', async () => {
    const partner = await partnerWith(finance, '100.00');
    const reserve = reserveRequest(partner, '11.50');
    await finance.funds.reserveFunds(reserve, partner.call);
    const lines = [line(['10.00', '1.50', '1.00', '0.00'])];
    const request = { ...partner.ref, reservationKey: reserve.reservationKey, lines, notes: '' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => finance.settlements.settleOrder(request, partner.call)),
    );
    expect(new Set(responses.map(({ settledAt }) => settledAt?.getTime())).size).toBe(1);
    expect(await balanceOf(finance, partner)).toEqual(['89.50', '89.50']);
  });

  it('when the hold ended or is less than the lines, then nothing is posted', async () => {
    const partner = await partnerWith(finance, '100.00');
    const reserve = reserveRequest(partner, '10.00');
    await finance.funds.reserveFunds(reserve, partner.call);
    const { reservationKey } = reserve;
    const request = {
      ...partner.ref,
      reservationKey,
      lines: [line(['10.01', '0.00', '0.00', '0.00'])],
      notes: '',
    };
    expect(await codeOf(finance.settlements.settleOrder(request, partner.call))).toBe('CONFLICT_ORDER_STATE');
    await finance.funds.releaseFunds({ ...partner.ref, reservationKey }, partner.call);
    const within = { ...request, lines: [line(['10.00', '0.00', '0.00', '0.00'])] };
    expect(await codeOf(finance.settlements.settleOrder(within, partner.call))).toBe('CONFLICT_ORDER_STATE');
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '100.00']);
  });

  it('when an order costs nothing, then it needs no hold and posts nothing', async () => {
    const partner = await partnerWith(finance, '5.00');
    const request = {
      ...partner.ref,
      reservationKey: uuidv7(),
      lines: [line(['0.00', '0.00', '0.00', '0.00'], 3)],
      notes: '',
    };
    const response = await finance.settlements.settleOrder(request, partner.call);
    expect(response.balanceAfter).toBe('5.00');
    expect(await finance.settlements.settleOrder(request, partner.call)).toEqual(response);
    expect(await linesOf(partner)).toHaveLength(1);
    const back = { ...partner.ref, operationKey: 'free', reservationKey: request.reservationKey, notes: '' };
    const { refundedAmount } = await finance.settlements.refundUnits(
      { ...back, lines: [{ lineId: request.lines[0]?.lineId ?? '', quantity: 3 }] },
      partner.call,
    );
    expect(refundedAmount).toBe('0.00');
  });

  it('when units come back in any parts, then all of them are exactly what was paid', async () => {
    const cents = fc.integer({ min: 0, max: 99_999 }).map((value) => (value / 100).toFixed(2));
    const charge = fc.integer({ min: 1, max: 99_999 }).map((value) => (value / 100).toFixed(2));
    const parts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        charge,
        cents,
        cents,
        cents,
        parts,
        async (goods, vat, commission, commissionVat, units) => {
          const partner = await partnerWith(finance, '10000.00');
          const quantity = units.reduce((total, part) => total + part, 0);
          const one = line([goods, vat, commission, commissionVat], quantity);
          const { request } = await settled(partner, [one]);
          const back = { ...partner.ref, reservationKey: request.reservationKey, notes: 'return' };
          const responses = [];
          for (const [index, part] of units.entries()) {
            const lines = [{ lineId: one.lineId, quantity: part }];
            const refund = { ...back, operationKey: `${request.reservationKey}:${index}`, lines };
            const response = await finance.settlements.refundUnits(refund, partner.call);
            expect(await finance.settlements.refundUnits(refund, partner.call)).toEqual(response);
            responses.push(response);
          }
          expect(sum(...responses.map(({ refundedAmount }) => refundedAmount))).toBe(sum(goods, vat));
          expect(sum(...responses.map(({ clawedBackAmount }) => clawedBackAmount))).toBe(
            sum(commission, commissionVat),
          );
          expect(await balanceOf(finance, partner)).toEqual(['10000.00', '10000.00']);
          const more = { ...back, operationKey: 'more', lines: [{ lineId: one.lineId, quantity: 1 }] };
          expect(await codeOf(finance.settlements.refundUnits(more, partner.call))).toBe(
            'CONFLICT_ORDER_STATE',
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it('when many give the same units back at once, then no unit comes back twice', async () => {
    const partner = await partnerWith(finance, '100.00');
    const one = line(['70.00', '10.50', '7.00', '1.05'], 7);
    const { request } = await settled(partner, [one]);
    const giveBack = (index: number): Promise<string> =>
      codeOf(
        finance.settlements.refundUnits(
          {
            ...partner.ref,
            reservationKey: request.reservationKey,
            operationKey: `race:${request.reservationKey}:${index}`,
            lines: [{ lineId: one.lineId, quantity: 2 }],
            notes: '',
          },
          partner.call,
        ),
      );
    const codes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        let code = await giveBack(index);
        // A busy machine: each waits for the lines of all before it, and whoever gets no connection in time comes again.
        while (code === 'SERVICE_UNAVAILABLE') code = await giveBack(index);
        return code;
      }),
    );
    expect(codes.sort()).toEqual([
      ...Array.from({ length: 17 }, () => 'CONFLICT_ORDER_STATE'),
      ...Array.from({ length: 3 }, () => 'ok'),
    ]);
  });

  it('when two wallets use one key at the same instant, then one has it and the other is refused', async () => {
    const sellers = [await partnerWith(finance, '1000.00'), await partnerWith(finance, '1000.00')];
    const one = () => line(['1.00', '0.15', '0.10', '0.01'], 1);
    for (let round = 0; round < 15; round += 1) {
      const operationKey = `shared:${round}`;
      const orders = await Promise.all(sellers.map((partner) => settled(partner, [one()])));
      const refund = (by: number, of: number) => {
        const { reservationKey, lines } = orders[of]!.request;
        const units = lines.map(({ lineId, quantity }) => ({ lineId, quantity }));
        const request = { ...sellers[by]!.ref, operationKey, reservationKey, lines: units, notes: '' };
        return codeOf(finance.settlements.refundUnits(request, sellers[by]!.call));
      };
      const calls = [refund(0, 0), refund(1, 1)];
      expect((await Promise.all(calls)).sort()).toEqual(['CONFLICT_IDEMPOTENCY_KEY_REUSED', 'ok']);
      // Nor does a wallet learn what the other's refund came to by repeating it.
      expect(await refund(0, 1)).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
      expect(await refund(1, 0)).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    }
  });
});
