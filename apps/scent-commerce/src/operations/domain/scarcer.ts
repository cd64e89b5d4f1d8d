import type { StockEnvironment } from '../../stock/stock.repository';

/** A variant's stock in one environment. */
export interface StockLevelRecord {
  environment: StockEnvironment;
  onHand: number;
  reserved: number;
  /** The last rise from nothing available; ISO text where the database made it part of a JSON value. */
  restockedAt: Date | string | null;
}

/** The stock of which less is available, the first of equals: one figure for a variant that may be short somewhere. */
export function scarcer(stock: readonly StockLevelRecord[]): StockLevelRecord {
  const [first, ...others] = stock;
  if (!first) throw new Error('a variant has no stock in any environment');
  return others.reduce(
    (least, level) => (level.onHand - level.reserved < least.onHand - least.reserved ? level : least),
    first,
  );
}
