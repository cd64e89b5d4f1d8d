import type { Order, ProductType } from '@reseller/contracts';

/** How services name a product's order within an Order. */
export type ProductCase = NonNullable<Order['product']>['$case'];

type MessageOf<C extends ProductCase> = Extract<NonNullable<Order['product']>, { $case: C }>['value'];

/** One product as people read it. */
export interface Product<C extends ProductCase> {
  /** As in productType. */
  readonly name: string;
  readonly type: ProductType;
  /** Whether an order names where it is sold; geo scopes list such products. */
  readonly isSoldByGeoScope: boolean;
  /** The product's own full resource. */
  readonly presentOrder: (message: MessageOf<C> | undefined) => object;
}
