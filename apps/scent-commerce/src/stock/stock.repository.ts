import { query, type PreparedStatement, type Queryable } from '@reseller/database';

// Raw: stock is compared and changed under row locks, in the transaction of what else changes of the variants.
const SET: PreparedStatement = {
  name: 'set_on_hand',
  text: 'SELECT refused_id AS "variantId", units_reserved AS reserved FROM set_on_hand($1, $2)',
};

/** What is to be on hand of a variant; undefined leaves it. */
export interface WantedStock {
  variantId: string;
  onHand: number | undefined;
}

/** Units of a variant that orders have reserved. */
export interface ReservedStock {
  variantId: string;
  reserved: number;
}

/**
 * Sets what is on hand of variants, each named once, and locks all of them until the transaction ends: before anything else
 * of them is changed. Returns those that orders have reserved more of, which are left as they are.
 */
export const setOnHand = (tx: Queryable, wanted: readonly WantedStock[]): Promise<ReservedStock[]> =>
  query(tx, SET, [wanted.map(({ variantId }) => variantId), wanted.map(({ onHand }) => onHand ?? null)]);
