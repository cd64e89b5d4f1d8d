import { text } from './request-fields';

export { customerRef } from './request-fields';

/** A discount code as a partner types it; the letter case does not matter, and one that does not exist is no fault here. */
export const discountCode = (description: string) =>
  text(description, { min: 1, max: 128 }).meta({ description, example: 'SPRING-10' });
