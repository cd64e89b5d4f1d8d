import { esim } from './esim';
import type { Route } from '../routes/route';
import type { Product } from './product';
import { scent } from './scent';
import { topup } from './topup';

/** The one list of products, in the order of the reference. */
export const PRODUCTS = [topup, esim, scent] as const satisfies readonly Product[];

/** The endpoints of all of them, by name. */
export const productRoutes = (): Record<string, Route> =>
  Object.fromEntries(PRODUCTS.flatMap(({ routes }) => Object.entries(routes)));
