import { ApprovalServiceService } from '@reseller/contracts';
import { clampBounds } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { type CallContext, defineRpc, isUuid, type RpcService } from '@reseller/rpc';
import type { Pool } from 'pg';
import { approvalOperatorOf, type Approval, type ApprovalOperator } from './approval';
import { STATUSES, toApprovalMessage } from './approval.mapper';
import type { ApprovalRepository } from './approval.repository';

/** What serving approvals works with. */
interface ApprovalServiceDeps {
  readonly pool: Pool;
  readonly approvals: ApprovalRepository;
  /**
   * Makes the movement of an approval that this operator may decide, in one transaction with the decision, and returns it as
   * decided. Throws CONFLICT_APPROVAL_DECIDED when somebody else was faster, and the movement's own refusals, which leave it pending.
   */
  readonly approve: (approval: Approval, by: ApprovalOperator, call: CallContext) => Promise<Approval>;
}

/** Serves reseller.common.v1.ApprovalService for the service that makes the movements (spec §18.3). */
export function approvalService(deps: ApprovalServiceDeps): RpcService {
  const { pool, approvals } = deps;
  return defineRpc(ApprovalServiceService, {
    async listApprovals({ status, ...bounds }) {
      const list = await approvals.list(pool, STATUSES[status], clampBounds(bounds));
      return { approvals: list.approvals.map(toApprovalMessage), totalCount: list.totalCount };
    },
    async getApproval({ approvalId }) {
      return { approval: toApprovalMessage(await getApproval(deps, approvalId)) };
    },
    async approveApproval({ approvalId }, call) {
      const by = approvalOperatorOf(call);
      const approval = await getDecidable(deps, approvalId, by);
      return { approval: toApprovalMessage(await deps.approve(approval, by, call)) };
    },
    async rejectApproval({ approvalId }, call) {
      const by = approvalOperatorOf(call);
      const { id } = await getDecidable(deps, approvalId, by);
      const rejected = await approvals.decide(pool, id, 'Rejected', by);
      if (!rejected) throw new AppError('CONFLICT_APPROVAL_DECIDED');
      return { approval: toApprovalMessage(rejected) };
    },
  });
}

async function getApproval({ pool, approvals }: ApprovalServiceDeps, id: string): Promise<Approval> {
  const approval = isUuid(id) ? await approvals.find(pool, id) : undefined;
  if (!approval) throw new AppError('NOT_FOUND_APPROVAL');
  return approval;
}

/** One that this operator may decide, and that is not decided as it was read. */
async function getDecidable(deps: ApprovalServiceDeps, id: string, by: ApprovalOperator): Promise<Approval> {
  const approval = await getApproval(deps, id);
  if (approval.requestedAccount === by.account) throw new AppError('FORBIDDEN_OWN_APPROVAL');
  if (approval.status !== 'Pending') throw new AppError('CONFLICT_APPROVAL_DECIDED');
  return approval;
}
