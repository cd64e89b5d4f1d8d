import { withTransaction, type Queryable } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { countRedemption, freeRedemptionSlot, giveBackRedemption } from '../discount/redemption.repository';
import type { PartnerScope } from '../partner-scope';
import { releaseStock, restockUnits, takeStock, type StockLine } from '../stock/stock.repository';
import type { CheckoutParts } from './begin-checkout';
import type { EndOutcome } from './checkout.repository';

type Parts = Pick<CheckoutParts, 'pool' | 'checkouts'>;

/** The order stands: its cart, stock, discount and lock are used up. Safe to repeat. */
export async function commitCheckout(parts: Parts, scope: PartnerScope, orderKey: string): Promise<void> {
  await withTransaction(parts.pool, async (tx) => {
    if (!isNews(await parts.checkouts.end(tx, scope, orderKey, 'Committed'))) return;
    await countRedemption(tx, orderKey);
    await takeStock(tx, orderKey);
  });
}

/** Undoes a checkout, or bars one that has not begun. Safe to repeat. */
export async function cancelCheckout(parts: Parts, scope: PartnerScope, orderKey: string): Promise<void> {
  await withTransaction(parts.pool, async (tx) => {
    if (!isNews(await parts.checkouts.end(tx, scope, orderKey, 'Cancelled'))) return;
    await freeRedemptionSlot(tx, orderKey);
    await releaseStock(tx, orderKey);
  });
}

/** Puts units of a committed checkout back on the shelf, once for each key. */
export async function restockCheckout(
  parts: Parts,
  scope: PartnerScope,
  { orderKey, restockKey, lines }: { orderKey: string; restockKey: string; lines: readonly StockLine[] },
): Promise<void> {
  await assertCommitted(parts, scope, orderKey);
  // The order's key makes a restock key unique among all orders'; a space is in neither.
  const returnKey = `${orderKey} ${restockKey}`;
  await withTransaction(parts.pool, (tx: Queryable) => restockUnits(tx, { orderKey, returnKey, lines }));
}

/** Gives the discount's redemption of a cancelled order back. Safe to repeat. */
export async function giveBackDiscount(parts: Parts, scope: PartnerScope, orderKey: string): Promise<void> {
  await assertCommitted(parts, scope, orderKey);
  await withTransaction(parts.pool, (tx: Queryable) => giveBackRedemption(tx, orderKey));
}

/** Committed is for good, so that it need not be looked at again in the transaction that relies on it. */
async function assertCommitted({ checkouts }: Parts, scope: PartnerScope, orderKey: string): Promise<void> {
  const known = await checkouts.find(orderKey);
  if (known && (known.partnerId !== scope.partnerId || known.environment !== scope.environment)) {
    throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
  }
  if (known?.state !== 'Committed') throw new AppError('CONFLICT_ORDER_STATE');
}

function isNews(outcome: EndOutcome): boolean {
  if (outcome === 'Foreign') throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
  if (outcome === 'State') throw new AppError('CONFLICT_ORDER_STATE');
  return outcome === 'Done';
}
