import { esim } from './esim';
import type { Product } from './product';
import { scent } from './scent';
import { topup } from './topup';

/** The one list of products, in the order of the reference. */
export const PRODUCTS = [topup, esim, scent] as const satisfies readonly Product[];
