import type { Approval, ApprovalOperator } from '@reseller/approvals';
import { AppError } from '@reseller/errors';
import type { Pool } from 'pg';
import { productOf } from '../products';
import { resultIn, type JournalEntry } from '../saga/domain/journal';
import { loadOrder, takeDecision, type DecideOrderDeps, type DecisionApproval } from './take-decision';

/** What approving works with. */
export interface ApproveReversalDeps extends DecideOrderDeps {
  readonly pool: Pool;
}

const LOOK_AGAIN_MS = 100;

/**
 * Decides an approval and begins the reversal in one transaction, so that it happens once, and waits for its money; with finance
 * away that follows by itself, as it does after a crash. Throws CONFLICT_APPROVAL_DECIDED when another operator was faster or it
 * lapsed meanwhile, and CONFLICT_ORDER_STATE for an order that cannot be reversed any more, whose approval stays pending.
 */
export async function approveReversal(
  deps: ApproveReversalDeps,
  approval: Approval,
  by: ApprovalOperator,
): Promise<Approval> {
  const until = performance.now() + deps.decisionWaitMs;
  const taken = await takeApproved(deps, approval, by, until);
  await waitForResult(deps, approval.subject, taken, until);
  return getApproval(deps, approval.id);
}

/** The decision as it is on record together with the approval. */
async function takeApproved(
  deps: ApproveReversalDeps,
  { id, subject: orderGlobalId, requestedBy: operator, requestId, notes }: Approval,
  by: ApprovalOperator,
  until: number,
): Promise<JournalEntry> {
  const approval: DecisionApproval = {
    details: { approvalId: id },
    async approve(tx) {
      const approved = await deps.approvals.decide(tx, id, 'Approved', by);
      if (!approved) throw new AppError('CONFLICT_APPROVAL_DECIDED');
      await deps.passCrashPoint('approval.record.before');
    },
  };
  const kind = 'reverse' as const;
  const decision = { kind, orderGlobalId, notes, operator, requestId, approvedBy: by.name, approval };
  while (performance.now() < until) {
    const state = await loadOrder(deps, { orderGlobalId });
    const product = productOf(state.order.product);
    const rule = product.decisions[kind];
    if (!rule) throw new AppError('CONFLICT_ORDER_STATE');
    try {
      const taken = await takeDecision(deps, product, rule, state, decision);
      if (taken) return taken;
    } catch (error) {
      await requirePending(deps, id);
      throw error;
    }
    await requirePending(deps, id);
  }
  throw new AppError('SERVICE_UNAVAILABLE');
}

/** Of two operators at once, the later one finds the order taken, or reversed already, by the approval of the other. */
async function requirePending(deps: ApproveReversalDeps, id: string): Promise<void> {
  if ((await getApproval(deps, id)).status !== 'Pending') throw new AppError('CONFLICT_APPROVAL_DECIDED');
}

async function waitForResult(
  deps: ApproveReversalDeps,
  orderGlobalId: string,
  taken: JournalEntry,
  until: number,
): Promise<void> {
  for (;;) {
    const { order, journal } = await loadOrder(deps, { orderGlobalId });
    const leftMs = until - performance.now();
    if (resultIn(journal, taken) || leftMs <= 0) return;
    await deps.running.waitForEnd(order.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
}

async function getApproval({ approvals, pool }: ApproveReversalDeps, id: string): Promise<Approval> {
  const approval = await approvals.find(pool, id);
  if (!approval) throw new Error('an approval that was found is gone');
  return approval;
}
