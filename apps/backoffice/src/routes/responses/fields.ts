import { z } from 'zod';

/** A moment, in UTC. */
export const moment = z.iso.datetime();

/** sandbox or live. */
export const environmentName = z.enum(['sandbox', 'live']);

/** An amount of SAR, or of the currency beside it. */
export const amount = z.number().meta({ format: 'decimal' });

/** How many, never fewer than none. */
export const count = z.int().min(0);

const pagination = z
  .strictObject({ page: count, pageSize: count, totalCount: count, totalPages: count })
  .meta({ id: 'Pagination' });

/** A page of a list (spec §1.6). */
export const pageOfItems = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), pagination });
