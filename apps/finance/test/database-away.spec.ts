import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionType } from '@reseller/contracts';
import { codeOf, freePort } from '@reseller/testing';
import { newPartner, reserveRequest, startFinanceService, type FinanceService } from './finance-service';

describe('while the database cannot be reached', () => {
  let finance: FinanceService;

  beforeAll(async () => {
    finance = await startFinanceService({
      DATABASE_URL: `postgresql://a:b@127.0.0.1:${await freePort()}/none`,
    });
  });
  afterAll(() => finance.stop());

  it('when any RPC is called, then it fails with SERVICE_UNAVAILABLE', async () => {
    const { funds, wallets, rates } = finance;
    const { partnerId, ref, call } = newPartner();
    const hold = { ...ref, reservationKey: 'k' };
    const money = { amount: '1.00', notes: '' };
    const calls = [
      funds.checkFunds(ref, call),
      funds.reserveFunds(
        reserveRequest({ partnerId, environment: ref.environment, ref, call }, '1.00'),
        call,
      ),
      funds.pinReservation(hold, call),
      funds.captureFunds({ ...hold, ...money }, call),
      funds.releaseFunds(hold, call),
      funds.refundFunds({ ...hold, ...money, operationKey: 'o' }, call),
      wallets.getBalance({}, call),
      wallets.listTransactions(
        { page: undefined, fromAt: undefined, toAt: undefined, transactionType: TransactionType.UNSPECIFIED },
        call,
      ),
      wallets.openWallet(ref, call),
      wallets.creditWallet({ ...ref, ...money, idempotencyKey: 'i' }, call),
      wallets.adjustWallet({ ...ref, ...money, idempotencyKey: 'i' }, call),
      wallets.listTransactionsByReference({ referenceId: 'r' }, call),
      rates.setRate({ currency: 'USD', rate: '1' }, call),
      rates.awaitPartnerVersion({ partnerId, version: 1 }, call),
    ];
    const codes = await Promise.all(calls.map(codeOf));
    expect(codes).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));
  });
});
