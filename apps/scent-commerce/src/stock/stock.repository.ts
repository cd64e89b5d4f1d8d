import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Owner } from '../owner';

// Raw: stock is compared and changed under row locks, in the transaction of what else changes of the variants.
const SET: PreparedStatement = {
  name: 'set_stock',
  text: `SELECT refused_id AS "variantId", refused_in AS environment, why, units_on_hand AS "onHand", units_reserved AS reserved
         FROM set_stock($1, $2, $3, $4, $5)`,
};

/** Whose stock it is (spec §2.1). */
export type StockEnvironment = Owner['environment'];

/** Every environment, in the order in which stock is locked. */
export const ENVIRONMENTS: readonly StockEnvironment[] = ['live', 'sandbox'];

/** What becomes of a variant's stock in one environment: a number or a delta; with neither it is only locked. */
export interface StockChange {
  variantId: string;
  environment: StockEnvironment;
  onHand?: number | undefined;
  delta?: number | undefined;
  /** What is believed to be on hand; anything else there refuses the change. */
  expected?: number | undefined;
}

/** Stock that was left as it is, why, and what it is. */
export interface RefusedStock {
  variantId: string;
  environment: StockEnvironment;
  why: 'Changed' | 'UnderReserved' | 'TooMany';
  onHand: number;
  reserved: number;
}

/**
 * Changes what is on hand, each variant and environment named once, and locks all of it until the transaction ends: before
 * anything else of the variants is changed. Returns what was left as it is, live before sandbox.
 */
export const setStock = (tx: Queryable, changes: readonly StockChange[]): Promise<RefusedStock[]> =>
  query(tx, SET, [
    changes.map(({ variantId }) => variantId),
    changes.map(({ environment }) => environment),
    changes.map(({ onHand }) => onHand ?? null),
    changes.map(({ delta }) => delta ?? null),
    changes.map(({ expected }) => expected ?? null),
  ]);
