import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, TransactionType } from '@reseller/contracts';
import { codeOf } from '@reseller/testing';
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

describe('moving funds (spec §3.5)', () => {
  let finance: FinanceService;

  beforeAll(async () => {
    finance = await startFinanceService();
  });
  afterAll(() => finance.stop());
  afterEach(async () => expect(await brokenInvariants(finance.database.pool)).toEqual({}));

  const capture = (partner: TestPartner, reservationKey: string, amount: string, notes = '') =>
    finance.funds.captureFunds({ ...partner.ref, reservationKey, amount, notes }, partner.call);
  const release = (partner: TestPartner, reservationKey: string) =>
    finance.funds.releaseFunds({ ...partner.ref, reservationKey }, partner.call);
  const refund = (partner: TestPartner, reservationKey: string, operationKey: string, amount: string) =>
    finance.funds.refundFunds(
      { ...partner.ref, reservationKey, operationKey, amount, notes: '' },
      partner.call,
    );
  const pin = (partner: TestPartner, reservationKey: string) =>
    finance.funds.pinReservation({ ...partner.ref, reservationKey }, partner.call);
  const reserve = async (
    partner: TestPartner,
    amount: string,
    more: Parameters<typeof reserveRequest>[2] = {},
  ) => {
    const request = reserveRequest(partner, amount, more);
    await finance.funds.reserveFunds(request, partner.call);
    return request;
  };

  it('when fifty orders overspend one wallet at once, then exactly what it covers succeeds', async () => {
    const partner = await partnerWith(finance, '100.00');
    const requests = Array.from({ length: 50 }, () => reserveRequest(partner, '7.00'));
    const codes = await Promise.all(
      requests.map((one) => codeOf(finance.funds.reserveFunds(one, partner.call))),
    );
    const won = requests.filter((_, index) => codes[index] === 'ok');
    expect(won).toHaveLength(14);
    expect(new Set(codes)).toEqual(new Set(['ok', 'BUSINESS_INSUFFICIENT_BALANCE']));
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '2.00']);
    await Promise.all(won.map(({ reservationKey }) => capture(partner, reservationKey, '7.00')));
    expect(await balanceOf(finance, partner)).toEqual(['2.00', '2.00']);
    const { page } = await finance.wallets.listTransactions(
      { page: undefined, fromAt: undefined, toAt: undefined, transactionType: TransactionType.DEBIT },
      partner.call,
    );
    expect(page?.totalCount).toBe(14);
  });

  it('when one order reserves fifty times at once, then it holds its amount once and all responses are the same', async () => {
    const partner = await partnerWith(finance, '100.00');
    const request = reserveRequest(partner, '30.00');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => finance.funds.reserveFunds(request, partner.call)),
    );
    expect(new Set(responses.map((one) => one.availableBalance))).toEqual(new Set(['70.00']));
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '70.00']);
    const captures = await Promise.all(
      Array.from({ length: 50 }, () => capture(partner, request.reservationKey, '30.00')),
    );
    expect(new Set(captures.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await balanceOf(finance, partner)).toEqual(['70.00', '70.00']);
  });

  it('when a reserve is repeated with other values, then CONFLICT_IDEMPOTENCY_KEY_REUSED; the same ones may be spelled otherwise', async () => {
    const partner = await partnerWith(finance, '100.00');
    const request = await reserve(partner, '10.00');
    for (const other of [{ amount: '10.01' }, { pinned: false }, { orderGlobalId: 'another' }]) {
      const code = await codeOf(finance.funds.reserveFunds({ ...request, ...other }, partner.call));
      expect(code).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    }
    // 10 and 10.00 are the same value.
    await finance.funds.reserveFunds({ ...request, amount: '10' }, partner.call);
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '90.00']);
    const captured = await capture(partner, request.reservationKey, '10.00');
    expect(await capture(partner, request.reservationKey, '10.0')).toEqual(captured);
  });

  it('when another partner or environment names a key in use, then it meets nothing of it and moves nothing', async () => {
    const owner = await partnerWith(finance, '100.00');
    const { reservationKey } = await reserve(owner, '10.00', { pinned: false });
    const charged = await reserve(owner, '20.00');
    await capture(owner, charged.reservationKey, '20.00');
    await refund(owner, charged.reservationKey, 'first part', '5.00');
    for (const other of [
      await partnerWith(finance, '50.00'),
      await partnerWith(finance, '50.00', Environment.SANDBOX),
    ]) {
      expect(await codeOf(pin(other, reservationKey))).toBe('CONFLICT_ORDER_STATE');
      expect(await codeOf(capture(other, reservationKey, '10.00'))).toBe('CONFLICT_ORDER_STATE');
      expect(await codeOf(capture(other, charged.reservationKey, '20.00'))).toBe('CONFLICT_ORDER_STATE');
      const part = (key: string) => codeOf(refund(other, charged.reservationKey, key, '5.00'));
      expect(await part(uuidv7())).toBe('CONFLICT_ORDER_STATE');
      expect(await part('first part')).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
      expect(await codeOf(release(other, reservationKey))).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
      expect(await codeOf(reserve(other, '10.00', { reservationKey }))).toBe(
        'CONFLICT_IDEMPOTENCY_KEY_REUSED',
      );
      expect(await balanceOf(finance, other)).toEqual(['50.00', '50.00']);
    }
    expect(await balanceOf(finance, owner)).toEqual(['85.00', '75.00']);
  });

  it('when a release names a partner without a wallet, then the key is barred for the wallet opened later', async () => {
    const partner = newPartner();
    const reservationKey = uuidv7();
    await release(partner, reservationKey);
    await release(partner, reservationKey);
    await finance.wallets.openWallet(partner.ref, partner.call);
    await finance.wallets.creditWallet(
      { ...partner.ref, amount: '9', notes: '', idempotencyKey: 'k' },
      partner.call,
    );
    expect(await codeOf(reserve(partner, '1.00', { reservationKey }))).toBe('CONFLICT_ORDER_STATE');
  });

  it('when captures and releases of one hold race, then exactly one side wins', async () => {
    const partner = await partnerWith(finance, '1000.00');
    const holds = await Promise.all(Array.from({ length: 20 }, () => reserve(partner, '10.00')));
    const results = await Promise.all(
      holds.map(async ({ reservationKey }) =>
        Promise.all([
          codeOf(capture(partner, reservationKey, '10.00')),
          codeOf(release(partner, reservationKey)),
        ]),
      ),
    );
    for (const codes of results) expect(codes.sort()).toEqual(['CONFLICT_ORDER_STATE', 'ok']);
  });

  it('when refunds come in parts from many sides, then they add up to the capture and never beyond', async () => {
    const partner = await partnerWith(finance, '100.00');
    const { reservationKey } = await reserve(partner, '50.00');
    expect(await codeOf(refund(partner, reservationKey, uuidv7(), '1.00'))).toBe('CONFLICT_ORDER_STATE');
    await capture(partner, reservationKey, '40.00');
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        codeOf(refund(partner, reservationKey, `${reservationKey}:${index}`, '7.00')),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(5);
    expect(await balanceOf(finance, partner)).toEqual(['95.00', '95.00']);
    expect(await codeOf(refund(partner, reservationKey, uuidv7(), '5.01'))).toBe('CONFLICT_ORDER_STATE');
    const last = uuidv7();
    const response = await refund(partner, reservationKey, last, '5.00');
    expect(await refund(partner, reservationKey, last, '5.00')).toEqual(response);
    expect(await codeOf(refund(partner, reservationKey, last, '4.00'))).toBe(
      'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    );
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '100.00']);
  });

  it('when a hold lapses on the database clock, then the balance shows the money at once and the next spend gets it', async () => {
    const partner = await partnerWith(finance, '10.00');
    const { reservationKey } = await reserve(partner, '10.00', { pinned: false });
    const pinned = await partnerWith(finance, '10.00');
    const kept = await reserve(pinned, '10.00', { pinned: false });
    await pin(pinned, kept.reservationKey);
    await pin(pinned, kept.reservationKey);
    expect(await codeOf(reserve(partner, '10.00'))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    // As if both had been made a TTL ago.
    await finance.database.pool.query(
      `UPDATE reservations SET expires_at = expires_at - (expires_at - created_at)
       WHERE op_key = ANY ($1) AND expires_at < 'infinity'`,
      [[reservationKey, kept.reservationKey]],
    );
    expect(await balanceOf(finance, partner)).toEqual(['10.00', '10.00']);
    expect(await codeOf(capture(partner, reservationKey, '10.00'))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(pin(partner, reservationKey))).toBe('CONFLICT_ORDER_STATE');
    await reserve(partner, '10.00');
    expect(await balanceOf(finance, partner)).toEqual(['10.00', '0.00']);
    expect(await balanceOf(finance, pinned)).toEqual(['10.00', '0.00']);
    await capture(pinned, kept.reservationKey, '10.00');
  });

  it('when a request is malformed, then VALIDATION_FAILED names every field', async () => {
    const bad = {
      partnerId: 'x',
      environment: Environment.UNSPECIFIED,
      reservationKey: '',
      amount: '1.001',
      orderGlobalId: '',
      pinned: true,
      submittedAt: undefined,
    };
    const failure = await finance.funds
      .reserveFunds(bad, { requestId: 'r' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'VALIDATION_FAILED' });
    const { errors } = (failure as { details: { errors: { path: string }[] } }).details;
    expect(errors.map(({ path }) => path)).toEqual([
      'partnerId',
      'environment',
      'reservationKey',
      'amount',
      'orderGlobalId',
    ]);
    const partner = await partnerWith(finance, '1.00');
    for (const amount of ['0', '-1', '1e2', '', 'NaN', '10000000000000', ' 1', '0x10']) {
      expect(await codeOf(reserve(partner, amount))).toBe('VALIDATION_FAILED');
    }
  });

  it('when there is no wallet and a hold is named, then CONFLICT_ORDER_STATE', async () => {
    const partner = newPartner();
    expect(await codeOf(pin(partner, uuidv7()))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(capture(partner, uuidv7(), '1.00'))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(refund(partner, uuidv7(), uuidv7(), '1.00'))).toBe('CONFLICT_ORDER_STATE');
  });
});
