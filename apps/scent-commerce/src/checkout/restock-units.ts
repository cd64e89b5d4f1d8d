import { AppError } from '@reseller/errors';
import type { Owner } from '../owner';
import type { CheckoutRepository, StockLine } from './checkout.repository';
import { assertCommitted } from './domain/checkout-state';

/**
 * Puts units of a committed checkout back on hand, once for each key. CONFLICT_ORDER_STATE when it is not committed, or fewer
 * of its units are still out.
 */
export async function restockUnits(
  { checkouts }: { checkouts: CheckoutRepository },
  owner: Owner,
  units: { orderKey: string; restockKey: string; lines: readonly StockLine[] },
): Promise<void> {
  const { found, isRestocked } = await checkouts.restock(owner, units);
  assertCommitted(found, owner);
  if (!isRestocked) throw new AppError('CONFLICT_ORDER_STATE');
}
