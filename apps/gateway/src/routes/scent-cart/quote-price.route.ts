import { z } from 'zod';
import { presentQuote } from './cart.presenter';
import { eachOnce, uuid } from '../../fields/request-fields';
import { priceQuote } from './cart.schema';
import { customerRef, discountCode } from '../../fields/scent-fields';
import { defineRoute } from '../route';
import { explain } from '../price-explanations/price-explanation.resource';
import { examplePriceQuote } from './examples';
import { units } from './fields';

const MOST_LINES = 100;

const line = z.strictObject({ variantId: uuid('What to price.'), quantity: units(1, 'How many units.') });

const lines = eachOnce(
  z
    .array(line)
    .min(1, 'must have at least one item')
    .max(MOST_LINES, `must have at most ${MOST_LINES} items`),
  'is named twice',
  'variantId',
);

/** POST /api/v1/scent/price-quote */
export const quotePrice = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/price-quote',
  tag: 'Scent cart',
  summary: 'Price lines without a cart',
  description:
    'What these lines would cost now, and what they would earn you. Nothing is kept, changed or set aside.',
  query: z.object({ explain }),
  body: z.strictObject({
    lines,
    customerRef: customerRef('Whose earlier use of the discount code counts.').nullish(),
    discountCode: discountCode('A discount code to take off, in any letter case.').nullish(),
  }),
  response: priceQuote,
  errors: ['NOT_FOUND_VARIANT', 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE'],
  examples: {
    body: { lines: [{ variantId: examplePriceQuote.items[0]?.variantId ?? '', quantity: 2 }] },
    response: examplePriceQuote,
  },
  effect: () => 'read',
  async handle({ query, body, call, clients }) {
    const request = {
      lines: body.lines,
      customerRef: body.customerRef ?? undefined,
      discountCode: body.discountCode ?? undefined,
      explain: query.explain,
    };
    return presentQuote(await clients.carts.quotePrice(request, call));
  },
});
