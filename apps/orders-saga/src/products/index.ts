import type { DeliveryShapes } from '../clients/vendors/domain/vendor';
import { esim } from './esim/esim.product';
import type { Product } from './product';
import { scent } from './scent/scent.product';
import { topup } from './topup/topup.product';

/** Every product. Nothing else lists them. */
export const PRODUCTS: readonly Product[] = [topup, esim, scent];

/** The product of a name that an order is stored with. */
export function productOf(name: string): Product {
  const product = PRODUCTS.find((known) => known.name === name);
  if (!product) throw new Error(`there is no product ${name}`);
  return product;
}

/** What vendors’ responses may hold of deliveries, of all products. */
export const DELIVERY_SHAPES: DeliveryShapes = Object.assign(
  {},
  ...PRODUCTS.map(({ vendor }) => vendor?.delivery?.shapes),
) as DeliveryShapes;
