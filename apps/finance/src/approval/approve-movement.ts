import type { Approval, ApprovalOperator } from '@reseller/approvals';
import type { FundingRepository } from '../wallet/funding.repository';
import type { WalletRepository } from '../wallet/wallet.repository';

/** What approving works with. */
interface ApproveMovementDeps {
  readonly funding: FundingRepository;
  readonly wallets: WalletRepository;
}

/**
 * Posts the credit or adjustment of an approval, once, together with the decision. Throws CONFLICT_APPROVAL_DECIDED when another
 * operator was faster or it lapsed meanwhile, and BUSINESS_INSUFFICIENT_BALANCE for a debit that no longer fits.
 */
export async function approveMovement(
  { funding, wallets }: ApproveMovementDeps,
  approval: Approval,
  by: ApprovalOperator,
): Promise<Approval> {
  const { partnerId, environment } = approval;
  const wallet = await wallets.find({ partnerId, environment });
  if (!wallet) throw new Error('the wallet of an approval was not found');
  return funding.approve(wallet, approval, by);
}
