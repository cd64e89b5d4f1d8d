import { ApprovalAction, ApprovalServiceService, ApprovalStatus, Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { v4 as newId } from 'uuid';
import { aSummary, later } from './samples';
import type { Services } from './services';

/** Two of finance's, older than one of orders-saga's and newer than another. */
export function serveApprovals(fakes: Services): void {
  for (const [app, approvals] of [
    ['finance', [walletApproval(30), walletApproval(20)]],
    ['orders-saga', [orderApproval(40), orderApproval(10)]],
  ] as const)
    fakes.of(app).on(ApprovalServiceService, {
      listApprovals: ({ status, offset, limit }) => {
        const all = approvals.filter((one) => status === ApprovalStatus.UNSPECIFIED || one.status === status);
        return { approvals: all.slice(offset, offset + limit), totalCount: all.length };
      },
      getApproval: ({ approvalId }) => ({ approval: known(approvals, approvalId) }),
      approveApproval: ({ approvalId }) => ({ approval: { ...known(approvals, approvalId), ...APPROVED } }),
      rejectApproval: ({ approvalId }) => ({ approval: { ...known(approvals, approvalId), ...REJECTED } }),
    });
}

const anApproval = {
  status: ApprovalStatus.PENDING,
  partnerId: aSummary.partnerId,
  environment: Environment.LIVE,
  notes: 'by bank transfer',
  requestedBy: 'omar',
  expiresAt: later(259_200_000),
};
const DECIDED = { decidedBy: 'olga', decidedAt: later(60) };
const APPROVED = { ...DECIDED, status: ApprovalStatus.APPROVED };
const REJECTED = { ...DECIDED, status: ApprovalStatus.REJECTED };

const walletApproval = (at: number) => ({
  ...anApproval,
  id: `019a2f3c-0000-7000-8000-0000000000${at}`,
  action: ApprovalAction.WALLET_ADJUST,
  amount: '-1500.50',
  subject: newId(),
  requestedAt: later(at),
});
const orderApproval = (at: number) => ({
  ...walletApproval(at),
  action: ApprovalAction.ORDER_REVERSE,
  amount: '2000.00',
});

function known<T extends { id: string }>(approvals: readonly T[], id: string): T {
  const approval = approvals.find((one) => one.id === id);
  if (!approval) throw new AppError('NOT_FOUND_APPROVAL');
  return approval;
}
