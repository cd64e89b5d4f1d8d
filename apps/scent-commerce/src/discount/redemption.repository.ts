import { query, type PreparedStatement, type Queryable } from '@reseller/database';

// Raw: the redemption and its code's count change in one statement.
const GIVE_BACK: PreparedStatement = {
  name: 'give_back_redemption',
  text: `WITH given AS (
           UPDATE discount_redemptions SET state = 'GivenBack', changed_at = clock_timestamp()
           WHERE order_key = $1 AND state = 'Redeemed' RETURNING code_id
         )
         UPDATE discount_codes c SET usage_count = c.usage_count - 1 FROM given g WHERE c.id = g.code_id`,
};

/** Gives a cancelled order's redemption back, if it has one (spec §6.7). Safe to repeat. */
export async function giveBackRedemption(db: Queryable, orderKey: string): Promise<void> {
  await query(db, GIVE_BACK, [orderKey]);
}
