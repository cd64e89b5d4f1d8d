import type { ProductName } from '@reseller/presenters';
import type { z } from 'zod';
import type { Route } from '../routes/route';

/** One product as partners meet it. */
export interface Product {
  readonly name: ProductName;
  /** Its orders with every field of the specification. */
  readonly order: z.ZodObject;
  readonly routes: readonly Route[];
}
