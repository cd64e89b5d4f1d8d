import { ProductType, type Order } from '@reseller/contracts';
import { findByName } from '../order-names';
import { present } from '../values';
import { esim } from './esim';
import type { Product, ProductCase } from './product';
import { scent } from './scent';
import { topup } from './topup';

export { presentEsimOrder } from './esim';
export { GROUP_STATUS_NAMES, GROUP_STATUSES, presentScentOrder } from './scent';
export { presentTopupOrder } from './topup';

/** The one list of products; one that a service may return and that has no line here does not compile. */
const PRODUCTS = { topup, esim, scent } as const satisfies { [C in ProductCase]: Product<C> };

const all = Object.values(PRODUCTS);

/** A product's public name. */
export type ProductName = (typeof all)[number]['name'];

/** The products under their public names. */
export const PRODUCT_NAMES = Object.fromEntries(all.map(({ type, name }) => [type, name])) as Partial<
  Record<ProductType, ProductName>
>;

/** The products' public names, for requests. */
export const PRODUCT_TYPES: readonly ProductName[] = all.map(({ name }) => name);

/** Those that geo scopes list, under their public names. */
export const GEO_SCOPE_PRODUCT_NAMES = Object.fromEntries(
  all.flatMap((product) => (product.isSoldByGeoScope ? [[product.type, product.name]] : [])),
) as Partial<Record<ProductType, Extract<(typeof all)[number], { isSoldByGeoScope: true }>['name']>>;

/** The enum value of a filter; UNSPECIFIED, which is all, for none. */
export const productFilter = (name: ProductName | undefined): ProductType =>
  findByName(PRODUCT_NAMES, name) ?? ProductType.UNSPECIFIED;

/** The product's own full resource. */
export function presentProductOrder(
  order: Order | undefined,
): ReturnType<(typeof all)[number]['presentOrder']> {
  const { $case, value } = present(order?.product, 'order');
  // A case and its value belong together, which TypeScript does not follow through the list.
  const { presentOrder } = PRODUCTS[$case] as Product<never>;
  return presentOrder(value as never) as ReturnType<(typeof all)[number]['presentOrder']>;
}
