import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { findLockedCode } from './discount-code.repository';
import { refusalByCaps, type DiscountRefusal } from './domain/assess-discount-code';

// Raw, all of them: caps are judged, and counts changed, under the code's row lock and in a checkout's transaction.
const LOCK_CODE: PreparedStatement = {
  name: 'lock_discount_code',
  text: 'SELECT 1 FROM discount_codes WHERE id = $1 FOR NO KEY UPDATE',
};
const FIND_REDEMPTION: PreparedStatement = {
  name: 'find_redemption',
  text: 'SELECT 1 FROM discount_redemptions WHERE order_key = $1',
};
const TAKE_SLOT: PreparedStatement = {
  name: 'take_redemption_slot',
  text: `WITH slot AS (
           INSERT INTO discount_redemptions (order_key, code_id, customer_ref, state) VALUES ($1, $2, $3, 'Pending')
         )
         UPDATE discount_codes SET pending_count = pending_count + 1 WHERE id = $2`,
};
const FREE_SLOT: PreparedStatement = {
  name: 'free_redemption_slot',
  text: `WITH freed AS (DELETE FROM discount_redemptions WHERE order_key = $1 AND state = 'Pending' RETURNING code_id)
         UPDATE discount_codes c SET pending_count = c.pending_count - 1 FROM freed f WHERE c.id = f.code_id`,
};
const GIVE_BACK: PreparedStatement = {
  name: 'give_back_redemption',
  text: `WITH given AS (
           UPDATE discount_redemptions SET state = 'GivenBack', changed_at = clock_timestamp()
           WHERE order_key = $1 AND state = 'Redeemed' RETURNING code_id
         )
         UPDATE discount_codes c SET usage_count = c.usage_count - 1 FROM given g WHERE c.id = g.code_id`,
};

/** Which order uses which code. */
export interface SlotRequest {
  /** Names the redemption from now on; the order's global id. */
  orderKey: string;
  codeId: string;
  customerRef: string | undefined;
}

/**
 * Takes an order's slot of a code's caps within the caller's transaction, which holds the code until it ends: a cap of N
 * admits exactly N. Taken now, Known when the order has a redemption already, else the reason why a cap refuses it. Only the
 * caps are judged; assess the code first.
 */
export async function takeRedemptionSlot(
  tx: Queryable,
  { orderKey, codeId, customerRef }: SlotRequest,
): Promise<'Taken' | 'Known' | DiscountRefusal> {
  await query(tx, LOCK_CODE, [codeId]);
  // Statements that begin after the lock was had see what those before us have taken.
  if ((await query(tx, FIND_REDEMPTION, [orderKey])).length > 0) return 'Known';
  const state = await findLockedCode(tx, codeId, customerRef);
  if (!state) return 'Unknown';
  const refusal = refusalByCaps(state, customerRef);
  if (refusal) return refusal;
  await query(tx, TAKE_SLOT, [orderKey, codeId, customerRef ?? null]);
  return 'Taken';
}

/** Frees the slot of an order that came to nothing, if it has one. Safe to repeat. */
export async function freeRedemptionSlot(tx: Queryable, orderKey: string): Promise<void> {
  await query(tx, FREE_SLOT, [orderKey]);
}

/** Gives a cancelled order's redemption back, if it has one (spec §6.7). Safe to repeat. */
export async function giveBackRedemption(db: Queryable, orderKey: string): Promise<void> {
  await query(db, GIVE_BACK, [orderKey]);
}
