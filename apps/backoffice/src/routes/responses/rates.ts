import { z } from 'zod';
import { moment, pageOfItems } from './fields';

/** A display rate: units of the currency for one SAR. */
export const rateResponse = z
  .strictObject({ currency: z.string(), rate: z.number(), updatedAt: moment })
  .meta({ id: 'DisplayRate' });

/** A page of display rates. */
export const ratesPage = pageOfItems(rateResponse);
