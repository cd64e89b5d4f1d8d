import { z } from 'zod';
// Not scent-fields': their examples would be filled in by the reference and turn a first try into another cart's.
import { customerRef, uuid } from '../../fields/request-fields';

const MOST_UNITS = 999;

/** Whose cart a request is about. */
export const cartQuery = z.object({
  customerRef: customerRef('Which of your customers’ carts; left out, your own bare cart.').optional(),
});

/** The line of a path. */
export const lineParams = z.object({ id: uuid('The line’s variantId.') });

/** A number of units. */
export const units = (least: 0 | 1, description: string) =>
  z
    .int()
    .min(least, { error: `must be at least ${least}`, abort: true })
    .max(MOST_UNITS, `must be at most ${MOST_UNITS}`)
    .meta({ description, example: 2 });
