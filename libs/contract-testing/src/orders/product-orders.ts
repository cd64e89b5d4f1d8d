import { expect, lists, passesOn, reads } from '../prelude';
import type { ErrorCode, Message, Sentences, ServiceContract, World } from '../prelude';
import { buyer, place, PRICES, type Product } from './arrange';

/** The id of the order that a create replied with. */
export const idOf = (reply: Message | undefined): unknown => (reply?.order as Message | undefined)?.order_id;

const LIMITS: readonly ErrorCode[] = ['BUSINESS_ORDER_AMOUNT_LIMIT', 'BUSINESS_SPENDING_LIMIT'];

/** What creates of every product have in common, of a partner that has the money for one order. */
export const anyCreate = (product: Product): Sentences => ({
  'says of an order that it places, and not of its repetition, that it is new': async (_, { call }) => {
    expect(await call()).toMatchObject({ is_new: true });
    expect(await call()).toMatchObject({ is_new: false });
  },
  'BUSINESS_INSUFFICIENT_BALANCE: less in the wallet than it costs': (use) =>
    place(buyer(use, (Number(PRICES[product]) - 0.01).toFixed(2)), product),
  ...passesOn(
    'finance',
    'reserveFunds',
    product === 'Topup' ? [...LIMITS, 'BUSINESS_RECIPIENT_LIMIT'] : LIMITS,
    'what finance refuses so; the reference stays free',
    async (_, { call }) => expect(await call()).toHaveProperty('order'),
  ),
});

/** How orders of one product are read; `others` and `more` are values that filters of its list tell apart, and sentences of GetXOrder of its own. */
export function productReads(
  product: Product,
  others: Message = {},
  more: Sentences = {},
): ServiceContract['rpcs'] {
  const placed = async (world: World): Promise<[ReturnType<typeof buyer>, Message]> => {
    const partner = buyer(world);
    return [partner, await place(partner, product)];
  };
  return {
    [`Get${product}Order`]: reads(placed, more),
    [`Get${product}OrderByReference`]: reads(placed),
    [`List${product}Orders`]: lists(
      async (world) => {
        const partner = buyer(world);
        const { customer_ref } = others;
        const own = customer_ref ? { customer_ref: String(customer_ref).toLowerCase() } : {};
        return [
          partner,
          [await place(partner, product, 'refused'), await place(partner, product, 'completed', own)],
        ];
      },
      {},
      others,
    ),
  };
}
