import type { RecipientKind } from '../erasure/domain/erased-request';

/** How a product keeps what only its orders have, their details: in a table of its own, or in their requests. */
export interface DetailsTable {
  /**
   * One row for each order at most, under order_id, written and deleted in the statement that does so with the order. Absent where
   * the request holds all.
   */
  readonly name?: string;
  /** An SQL expression: the details as JSON, of a row of `orders` and of the table. Absent where the product reads them by itself. */
  readonly toJson?: string;
  /**
   * An SQL condition over `orders`: which of the product's are there for their own saga only, and for no reader yet. As
   * list_orders.sql has it.
   */
  readonly hidden?: string;
  /** The statement that writes the details of new orders, from a source of (id, details). */
  readonly insert?: (newOrders: string) => string;
  /** The statements that write what a saga's move learned of the details, from a source of (id, details). */
  readonly learn?: (movedOrders: string) => readonly string[];
  /** SQL conditions over `orders`: by what it is known that an order is for the recipient $3, who may want it erased (spec §18.10). */
  readonly isFor?: Readonly<Partial<Record<RecipientKind, string>>>;
  /** The statement that takes the recipient, and what was delivered, out of the details of the order $1; its request is erased by itself. */
  readonly erase?: string;
}

/** A product as far as its orders are stored. */
export interface StoredProduct {
  readonly name: string;
  readonly table: DetailsTable;
}
