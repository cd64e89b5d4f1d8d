import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalAction, ApprovalStatus, Environment } from '@reseller/contracts';
import { codeOf, eventually, olga, omar, tokenOfOlga } from '@reseller/testing';
import { approvalOf, LIMIT, movement } from './approvals';
import {
  balanceOf,
  newPartner,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
} from './finance-service';
import { brokenInvariants } from './invariants';

let finance: FinanceService;
beforeAll(async () => {
  finance = await startFinanceService({ FOUR_EYES_ABOVE_SAR: LIMIT });
});
afterAll(() => finance.stop());

const statusOf = async (approvalId: string) =>
  (await finance.approvals.getApproval({ approvalId }, olga)).approval?.status;
const approve = (approvalId: string, by = omar) => finance.approvals.approveApproval({ approvalId }, by);
const reject = (approvalId: string, by = omar) => finance.approvals.rejectApproval({ approvalId }, by);
/** As its time passes: nothing else of it changes then. */
const lapse = (approvalId: string) =>
  finance.database.pool.query('UPDATE approvals SET expires_at = clock_timestamp() WHERE id = $1', [
    approvalId,
  ]);
const eventsOf = async (walletId: string) =>
  (await finance.database.pool.query('SELECT type FROM outbox WHERE aggregate_id = $1', [walletId])).rowCount;

describe('movements that need a second operator (spec §18.3)', () => {
  it('when a credit is above the limit, then nothing moves before another operator approves it, and once then', async () => {
    const partner = await partnerWith(finance, '10.00');
    const request = movement('1000.01');
    const approvalId = await approvalOf(finance, 'creditWallet', partner, request);
    expect(await balanceOf(finance, partner)).toEqual(['10.00', '10.00']);
    expect(
      await eventsOf((await finance.approvals.getApproval({ approvalId }, olga)).approval!.subject),
    ).toBe(2);
    const { approval } = await approve(approvalId);
    expect(approval).toMatchObject({
      ...{ id: approvalId, status: ApprovalStatus.APPROVED, action: ApprovalAction.WALLET_CREDIT },
      ...{ partnerId: partner.partnerId, environment: Environment.LIVE, amount: '1000.01' },
      ...{ notes: request.notes, requestedBy: 'Olga', decidedBy: 'Omar' },
    });
    expect(approval!.expiresAt!.getTime() - approval!.requestedAt!.getTime()).toBe(259_200_000);
    expect(await balanceOf(finance, partner)).toEqual(['1010.01', '1010.01']);
    const { transaction } = await finance.wallets.creditWallet({ ...partner.ref, ...request }, omar);
    expect(transaction).toMatchObject({
      ...{ amount: '1000.01', balanceAfter: '1010.01' },
      decidedBy: { operator: 'Olga', requestId: 'r-olga', approvedBy: 'Omar' },
    });
    expect(await balanceOf(finance, partner)).toEqual(['1010.01', '1010.01']);
    expect(await eventsOf(approval!.subject)).toBe(3);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when it is of the limit, or in the sandbox, then it needs nobody else', async () => {
    const live = await partnerWith(finance, '1.00');
    await finance.wallets.creditWallet({ ...live.ref, ...movement('1000.00') }, olga);
    const sandbox = await partnerWith(finance, '5000.00', Environment.SANDBOX);
    await finance.wallets.adjustWallet({ ...sandbox.ref, ...movement('-4000.00') }, olga);
    expect(await balanceOf(finance, sandbox)).toEqual(['1000.00', '1000.00']);
  });

  it('when it is requested again, then it is the same approval for anybody, and other values are refused', async () => {
    const partner = await partnerWith(finance, '10.00');
    const request = movement('1500.00');
    const ids = await Promise.all(
      [olga, omar, olga, omar].map((by) => approvalOf(finance, 'creditWallet', partner, request, by)),
    );
    expect(new Set(ids).size).toBe(1);
    const others = [{ amount: '1500.01' }, { amount: '5.00' }, { notes: 'other' }];
    for (const other of others)
      expect(await codeOf(finance.wallets.creditWallet({ ...partner.ref, ...request, ...other }, omar))).toBe(
        'CONFLICT_IDEMPOTENCY_KEY_REUSED',
      );
    expect(await codeOf(finance.wallets.adjustWallet({ ...partner.ref, ...request }, olga))).toBe(
      'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('when it could not be done anyway, then that is the refusal, and no approval is made', async () => {
    const partner = await partnerWith(finance, '900.00');
    const { idempotencyKey } = movement('1.00');
    await finance.wallets.creditWallet({ ...partner.ref, ...movement('200.00', { idempotencyKey }) }, olga);
    await finance.funds.reserveFunds(reserveRequest(partner, '50.00'), partner.call);
    const adjust = (amount: string, more = {}) =>
      codeOf(finance.wallets.adjustWallet({ ...partner.ref, ...movement(amount, more) }, olga));
    expect(await adjust('-1050.01')).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect(await adjust('2000.00', { idempotencyKey })).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const nobody = newPartner();
    expect(await codeOf(finance.wallets.creditWallet({ ...nobody.ref, ...movement('2000.00') }, olga))).toBe(
      'NOT_FOUND_WALLET',
    );
    const { rows } = await finance.database.pool.query(
      'SELECT count(*)::int AS made FROM approvals WHERE partner_id = ANY ($1)',
      [[partner.partnerId, nobody.partnerId]],
    );
    expect(rows).toEqual([{ made: 0 }]);
    expect(await adjust('-1050.00')).toBe('CONFLICT_APPROVAL_REQUIRED');
  });

  it('when whoever requested it decides it, with a session or a token of theirs, then it is refused', async () => {
    const partner = await partnerWith(finance, '10.00');
    const id = await approvalOf(finance, 'creditWallet', partner, movement('1500.00'), tokenOfOlga);
    for (const by of [olga, tokenOfOlga])
      for (const decide of [approve, reject])
        expect(await codeOf(decide(id, by))).toBe('FORBIDDEN_OWN_APPROVAL');
    expect(await statusOf(id)).toBe(ApprovalStatus.PENDING);
    await expect(
      finance.database.pool.query(
        `UPDATE approvals SET status = 'Approved', decided_by = 'x', decided_account = 'idp olga',
           decided_at = now() WHERE id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'approvals_by_another' });
  });

  it('when a debit no longer fits, then it is refused and waits on, and fits again later', async () => {
    const partner = await partnerWith(finance, '1000.00');
    await finance.wallets.creditWallet({ ...partner.ref, ...movement('1000.00') }, olga);
    const id = await approvalOf(finance, 'adjustWallet', partner, movement('-1500.00'));
    await finance.wallets.adjustWallet({ ...partner.ref, ...movement('-600.00') }, olga);
    expect(await codeOf(approve(id))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect(await statusOf(id)).toBe(ApprovalStatus.PENDING);
    expect(await balanceOf(finance, partner)).toEqual(['1400.00', '1400.00']);
    await finance.wallets.creditWallet({ ...partner.ref, ...movement('100.00') }, olga);
    const { approval } = await approve(id);
    expect(approval).toMatchObject({ status: ApprovalStatus.APPROVED, amount: '-1500.00' });
    expect(await balanceOf(finance, partner)).toEqual(['0.00', '0.00']);
  });

  it('when it is rejected or has lapsed, then it is decided, and its key is free for other values', async () => {
    const partner = await partnerWith(finance, '10.00');
    const request = movement('1500.00');
    const rejected = await approvalOf(finance, 'creditWallet', partner, request);
    expect((await reject(rejected)).approval).toMatchObject({
      status: ApprovalStatus.REJECTED,
      decidedBy: 'Omar',
    });
    const lapsed = await approvalOf(finance, 'creditWallet', partner, { ...request, amount: '1600.00' });
    await lapse(lapsed);
    expect(await statusOf(lapsed)).toBe(ApprovalStatus.LAPSED);
    for (const id of [rejected, lapsed])
      for (const decide of [approve, reject])
        expect(await codeOf(decide(id))).toBe('CONFLICT_APPROVAL_DECIDED');
    const third = await approvalOf(finance, 'creditWallet', partner, { ...request, amount: '1700.00' });
    expect(new Set([rejected, lapsed, third]).size).toBe(3);
    expect(await statusOf(lapsed)).toBe(ApprovalStatus.LAPSED);
    expect(await balanceOf(finance, partner)).toEqual(['10.00', '10.00']);
    await finance.wallets.creditWallet({ ...partner.ref, ...movement('10.00') }, olga);
    await reject(third);
    await finance.wallets.creditWallet({ ...partner.ref, ...request, amount: '1.00' }, olga);
    expect(await balanceOf(finance, partner)).toEqual(['21.00', '21.00']);
  });

  it('when many decide at once, then one decision holds and the money moves by it alone', async () => {
    const partner = await partnerWith(finance, '10.00');
    const id = await approvalOf(finance, 'creditWallet', partner, movement('1500.00'));
    const others = Array.from({ length: 8 }, (_, n) => ({
      ...omar,
      operator: `other ${n}`,
      operatorAccount: `other ${n}`,
    }));
    const codes = await Promise.all(others.map((by, n) => codeOf(n % 2 ? reject(id, by) : approve(id, by))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', 'CONFLICT_APPROVAL_DECIDED']));
    const isApproved = (await statusOf(id)) === ApprovalStatus.APPROVED;
    expect(await balanceOf(finance, partner)).toEqual(
      isApproved ? ['1510.00', '1510.00'] : ['10.00', '10.00'],
    );
  });

  it('when they are listed, then newest first, by the status that they have at that moment', async () => {
    const partner = await partnerWith(finance, '10.00');
    const made: string[] = [];
    for (const amount of ['1001.00', '1002.00', '1003.00'])
      made.push(await approvalOf(finance, 'creditWallet', partner, movement(amount)));
    const [first = '', second = '', third = ''] = made;
    const ids = async (status: ApprovalStatus, limit = 100) => {
      const { approvals } = await finance.approvals.listApprovals({ status, offset: 0, limit }, olga);
      return approvals.filter(({ id }) => made.includes(id)).map(({ id }) => id);
    };
    expect(await ids(ApprovalStatus.UNSPECIFIED, 3)).toEqual([third, second, first]);
    await lapse(second);
    await reject(first);
    expect(await ids(ApprovalStatus.PENDING)).toEqual([third]);
    expect(await ids(ApprovalStatus.LAPSED)).toEqual([second]);
    expect(await ids(ApprovalStatus.REJECTED)).toEqual([first]);
    await eventually(async () => expect(await brokenInvariants(finance.database.pool)).toEqual({}));
  });
});
