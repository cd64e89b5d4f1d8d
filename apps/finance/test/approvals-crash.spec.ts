import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalStatus } from '@reseller/contracts';
import { bundleService, codeOf, eventually, olga, omar, spawnService, type Program } from '@reseller/testing';
import path from 'node:path';
import type { CrashPoint } from '../src/crash-points';
import { approvalOf, LIMIT, movement } from './approvals';
import {
  balanceOf,
  connectFinance,
  NOWHERE,
  partnerWith,
  startFinanceService,
  type FinanceClients,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

const FOUR_EYES = { FOUR_EYES_ABOVE_SAR: LIMIT };

let bundle: Program;
let survivor: FinanceService;
let end: (() => Promise<void>) | undefined;

beforeAll(async () => {
  [bundle, survivor] = await Promise.all([
    bundleService(path.join(__dirname, '..')),
    startFinanceService(FOUR_EYES),
  ]);
});
afterEach(async () => {
  await end?.();
  end = undefined;
});
afterAll(async () => {
  await survivor.stop();
  await bundle.remove();
});

/** A process beside the survivor, on the same database, that dies at this boundary. */
async function doom(point: CrashPoint): Promise<FinanceClients & { ended: Promise<string | null> }> {
  const { ended, grpcPort, kill } = await spawnService(bundle.file, {
    DATABASE_URL: survivor.database.serviceUrl,
    EVENT_BUS_URL: survivor.bus.url,
    IDENTITY_ADDRESS: NOWHERE,
    CRASH_POINT: point,
    ...FOUR_EYES,
  });
  const clients = connectFinance(`127.0.0.1:${grpcPort}`);
  end = async () => {
    clients.close();
    await kill();
  };
  return { ...clients, ended };
}

const MOVEMENTS = {
  creditWallet: { amount: '1500.00', after: '3500.00' },
  adjustWallet: { amount: '-1500.00', after: '500.00' },
} as const;
type MovementRpc = keyof typeof MOVEMENTS;

async function partnerOf2000(): Promise<TestPartner> {
  const partner = await partnerWith(survivor, '1000.00');
  await survivor.wallets.creditWallet({ ...partner.ref, ...movement('1000.00') }, olga);
  return partner;
}

const statusOf = async (approvalId: string) =>
  (await survivor.approvals.getApproval({ approvalId }, olga)).approval?.status;
const eventsOf = async ({ partnerId }: TestPartner) =>
  (
    await survivor.database.pool.query(
      'SELECT FROM outbox WHERE aggregate_id = (SELECT id::text FROM wallets WHERE partner_id = $1)',
      [partnerId],
    )
  ).rowCount;

async function expectLost(process: { ended: Promise<string | null> }, call: Promise<unknown>): Promise<void> {
  expect(await codeOf(call)).toBe('SERVICE_UNAVAILABLE');
  expect(await process.ended).toBe('SIGKILL');
}

async function expectMovedOnce(
  rpc: MovementRpc,
  partner: TestPartner,
  request: ReturnType<typeof movement>,
  approvalId: string,
): Promise<void> {
  const { after } = MOVEMENTS[rpc];
  expect(await statusOf(approvalId)).toBe(ApprovalStatus.APPROVED);
  expect(await codeOf(survivor.approvals.approveApproval({ approvalId }, omar))).toBe(
    'CONFLICT_APPROVAL_DECIDED',
  );
  const { transaction } = await survivor.wallets[rpc]({ ...partner.ref, ...request }, olga);
  expect(transaction).toMatchObject({
    balanceAfter: after,
    decidedBy: { operator: 'Olga', requestId: 'r-olga', approvedBy: 'Omar' },
  });
  expect(await balanceOf(survivor, partner)).toEqual([after, after]);
  // The wallet was opened and had two deposits before it.
  expect(await eventsOf(partner)).toBe(4);
  await eventually(async () => expect(await brokenInvariants(survivor.database.pool)).toEqual({}));
}

describe('a process killed while a credit or an adjustment is approved (spec §18.3)', () => {
  it('when it dies after the approval was made, then repeating the request returns that approval', async () => {
    const partner = await partnerOf2000();
    const request = movement('1500.00');
    const process = await doom('approval.request.after');
    await expectLost(
      process,
      process.wallets.creditWallet({ ...partner.ref, ...request }, olga, { retries: 'never' }),
    );
    const { rows } = await survivor.database.pool.query('SELECT id FROM approvals WHERE partner_id = $1', [
      partner.partnerId,
    ]);
    expect(rows).toEqual([{ id: await approvalOf(survivor, 'creditWallet', partner, request, omar) }]);
    expect(await balanceOf(survivor, partner)).toEqual(['2000.00', '2000.00']);
  });

  it.each<[CrashPoint, MovementRpc]>([
    ['approval.decide.after', 'creditWallet'],
    ['approval.record.before', 'creditWallet'],
    ['approval.record.before', 'adjustWallet'],
  ])(
    'when it dies at %s of %s, then nothing has moved, and it is approved once afterwards',
    async (point, rpc) => {
      const partner = await partnerOf2000();
      const request = movement(MOVEMENTS[rpc].amount);
      const approvalId = await approvalOf(survivor, rpc, partner, request);
      const process = await doom(point);
      await expectLost(process, process.approvals.approveApproval({ approvalId }, omar));
      expect(await statusOf(approvalId)).toBe(ApprovalStatus.PENDING);
      expect(await balanceOf(survivor, partner)).toEqual(['2000.00', '2000.00']);
      await survivor.approvals.approveApproval({ approvalId }, omar);
      await expectMovedOnce(rpc, partner, request, approvalId);
    },
  );

  it.each<MovementRpc>(['creditWallet', 'adjustWallet'])(
    'when it dies after the commit of %s, then the approval stands and the money has moved once',
    async (rpc) => {
      const partner = await partnerOf2000();
      const request = movement(MOVEMENTS[rpc].amount);
      const approvalId = await approvalOf(survivor, rpc, partner, request);
      const process = await doom('approval.record.after');
      await expectLost(process, process.approvals.approveApproval({ approvalId }, omar));
      await expectMovedOnce(rpc, partner, request, approvalId);
    },
  );
});
