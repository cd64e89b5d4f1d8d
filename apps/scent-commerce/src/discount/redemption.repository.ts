import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { DiscountRefusal } from './domain/assess-discount-code';

const TAKE_SLOT: PreparedStatement = {
  name: 'discount_take_slot',
  text: 'SELECT discount_take_slot($1, $2, $3) AS outcome',
};
const SETTLE: PreparedStatement = {
  name: 'discount_settle',
  text: 'SELECT discount_settle($1, $2) AS outcome',
};

/** What an order's use of a code may become. */
type Settlement = 'Redeemed' | 'Freed' | 'GivenBack';

/** Which order uses which code. */
export interface SlotRequest {
  /** Names the redemption from now on; the order's global id. */
  orderKey: string;
  codeId: string;
  customerRef: string | undefined;
}

/**
 * Takes an order's slot of a code's caps within the caller's transaction, which holds the code until it ends. Answers the
 * reason when a cap is reached or the code is gone, else undefined, also when the order has its slot already. Only the caps
 * are judged; assess the code first. CONFLICT_ORDER_STATE for an order whose redemption is over.
 */
export async function takeRedemptionSlot(
  tx: Queryable,
  { orderKey, codeId, customerRef }: SlotRequest,
): Promise<DiscountRefusal | undefined> {
  const [row] = await query<{ outcome: DiscountRefusal | 'Taken' | 'Ended' }>(tx, TAKE_SLOT, [
    orderKey,
    codeId,
    customerRef ?? null,
  ]);
  if (!row || row.outcome === 'Ended') throw new AppError('CONFLICT_ORDER_STATE');
  return row.outcome === 'Taken' ? undefined : row.outcome;
}

/** Counts the order's redemption (usageCount). Safe to repeat; nothing for an order without a code. */
export const countRedemption = (tx: Queryable, orderKey: string): Promise<void> =>
  settle(tx, orderKey, 'Redeemed');

/** Frees the slot of an order that came to nothing. Safe to repeat, also when none was taken; CONFLICT_ORDER_STATE when it was counted. */
export const freeRedemptionSlot = (tx: Queryable, orderKey: string): Promise<void> =>
  settle(tx, orderKey, 'Freed');

/** Gives a counted redemption back: a cancelled order's (spec §6.7). Safe to repeat; nothing for an order without a code. */
export const giveBackRedemption = (tx: Queryable, orderKey: string): Promise<void> =>
  settle(tx, orderKey, 'GivenBack');

async function settle(tx: Queryable, orderKey: string, to: Settlement): Promise<void> {
  const [row] = await query<{ outcome: 'Done' | 'State' }>(tx, SETTLE, [orderKey, to]);
  if (row?.outcome !== 'Done') throw new AppError('CONFLICT_ORDER_STATE');
}
