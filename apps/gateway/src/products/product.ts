import type { ProductName } from '@reseller/presenters';
import type { z } from 'zod';
import type { Route } from '../routes/route';

/** One product as partners meet it. */
export interface Product {
  readonly name: ProductName;
  /** Its orders with every field of the specification. */
  readonly order: z.ZodObject;
  /** Its chapter of the reference, and what that says first. */
  readonly chapter: `${string} orders`;
  readonly about: string;
  /** Its endpoints by name. */
  readonly routes: Readonly<Record<string, Route>>;
}
