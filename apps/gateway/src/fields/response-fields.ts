import { z } from 'zod';

// Response fields as partners read them.

/** An exact decimal as a JSON number. */
export const money = (description: string) => z.number().meta({ description });

/** A moment in UTC. */
export const moment = (description: string) => z.iso.datetime().meta({ description });

/** The id of a resource. */
export const id = (description: string) => z.guid().meta({ description, format: 'uuid' });

/** The sibling fields of a response with display amounts. */
export const display = {
  displayCurrency: z
    .string()
    .nullable()
    .meta({ description: 'Your display currency, ISO 4217; null without one.' }),
  rate: z.number().nullable().meta({ description: 'Display units for one unit of the currency.' }),
};

/** An amount in the display currency. */
export const displayMoney = (of: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${of} in the display currency; null where none applies.` });

const pagination = z
  .strictObject({
    page: z.int(),
    pageSize: z.int(),
    totalCount: z.int(),
    totalPages: z.int().meta({ description: '0 when there is nothing.' }),
  })
  .meta({ id: 'Pagination' });

/** A page of a list (spec §1.6); named after its items. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), pagination }).meta({ id: `${item.meta()?.id}Page` });
