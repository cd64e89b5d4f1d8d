import { ApprovalAction, type Approval, type ApprovalServiceService } from '@reseller/contracts';
import { AppError, isAppError } from '@reseller/errors';
import type { AuditedChange } from '@reseller/http-edge';
import { present } from '@reseller/presenters';
import type { CallContext, OperatorRoleName, RpcClient } from '@reseller/rpc';
import type { Clients } from './clients';
import { recordChange } from './record-change';

/** A service that keeps approvals, as each that makes the movements does (docs/adr/0021). */
type ApprovalClient = RpcClient<typeof ApprovalServiceService>;

/** What an approval can be of. */
export const APPROVAL_ACTIONS = ['wallet.credit', 'wallet.adjust', 'order.reverse'] as const;

interface DecidedAction {
  readonly name: (typeof APPROVAL_ACTIONS)[number];
  readonly role: OperatorRoleName;
}

/** The name of each action, and the role that decides it (spec §18.3). */
const ACTIONS: Readonly<Partial<Record<ApprovalAction, DecidedAction>>> = {
  [ApprovalAction.WALLET_CREDIT]: { name: 'wallet.credit', role: 'finance' },
  [ApprovalAction.WALLET_ADJUST]: { name: 'wallet.adjust', role: 'finance' },
  [ApprovalAction.ORDER_REVERSE]: { name: 'order.reverse', role: 'support' },
};

/** What an approval's action is called, and who decides it. */
export const actionOf = ({ action }: Approval): DecidedAction => present(ACTIONS[action], 'action');

/** An approval with the service that keeps it. */
interface KeptApproval {
  readonly approval: Approval;
  readonly service: ApprovalClient;
}

/** Looks an approval up where approvals are kept; throws NOT_FOUND_APPROVAL when all of them know none. */
export async function findApproval(
  { financeApprovals, ordersApprovals }: Clients,
  approvalId: string,
  call: CallContext,
): Promise<KeptApproval> {
  const services: ApprovalClient[] = [financeApprovals, ordersApprovals];
  const found = await Promise.allSettled(
    services.map(async (service) => ({
      service,
      approval: present((await service.getApproval({ approvalId }, call)).approval, 'approval'),
    })),
  );
  const kept = found.find((one) => one.status === 'fulfilled');
  if (kept) return kept.value;
  // A service that is away may have it.
  for (const one of found) if (one.status === 'rejected' && !isNotFound(one.reason)) throw one.reason;
  throw new AppError('NOT_FOUND_APPROVAL');
}

const isNotFound = (error: unknown): boolean => isAppError(error) && error.code === 'NOT_FOUND_APPROVAL';

/** A movement that may need a second operator. */
type AuditedMovement = Pick<AuditedChange, 'action' | 'partnerId'>;

/**
 * Has a movement made. One that needs a second operator has made an approval: before the caller hears of that, it has an audit entry
 * of its own beside the movement's.
 */
export async function auditApproval<T>(
  clients: Clients,
  call: CallContext,
  movement: () => Promise<AuditedMovement>,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT_APPROVAL_REQUIRED') throw error;
    const { action, partnerId } = await movement();
    const subject = String(error.details?.['approvalId']);
    await recordChange(
      clients,
      { action: 'approval.request', partnerId, subject, details: { action } },
      call,
    );
    throw error;
  }
}
