import { text } from './fields';

/** Whose cart: any printable text, compared exactly (decisions §6.1). */
export const customerRef = (description: string) =>
  text(description, { min: 1, max: 128 })
    .refine((value) => !/\p{Cc}/u.test(value), 'must not hold control characters')
    .meta({ description, example: 'customer-17' });

/** A discount code as a partner types it; the letter case does not matter, and one that does not exist is no fault here. */
export const discountCode = (description: string) =>
  text(description, { min: 1, max: 128 }).meta({ description, example: 'SPRING-10' });
