import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { during } from '../actor';
import { rpc, type Message, type Sentences, type ServiceContract, type Use } from '../contract';
import { byAStranger, inTheOtherEnvironment, notFound, reads } from '../variations';
import type { World } from '../world';
import { buyer, place, type Product } from './arrange';

/** How orders of one product are read; `filters` and `more` are filters of its list and sentences of GetXOrder of its own. */
export function productReads(
  product: Product,
  code: ErrorCode,
  filters: Readonly<Record<string, readonly [string, string]>> = {},
  more: Sentences = {},
): ServiceContract['rpcs'] {
  const placed = async (world: World): Promise<[ReturnType<typeof buyer>, Message]> => {
    const partner = buyer(world);
    return [partner, await place(partner, product)];
  };
  return {
    [`Get${product}Order`]: reads(placed, ({ order_id }) => ({ order_id }), {
      ...notFound(code, 'order_id'),
      ...more,
    }),
    [`Get${product}OrderByReference`]: reads(placed, ({ external_reference }) => ({ external_reference }), {
      [`${code}: a reference nobody used`]: { external_reference: 'none' },
      [`${code}: another partner’s`]: byAStranger,
      [`${code}: the other environment’s`]: inTheOtherEnvironment,
    }),
    [`List${product}Orders`]: rpc(undefined, {
      'lists newest first, page by page, and nobody else’s': lists(product),
      'keeps to a status, and to a time from inclusive to exclusive; scent orders to a customer too': async (
        use,
      ) => {
        const partner = buyer(use);
        const own = Object.fromEntries(Object.entries(filters).map(([name, [is]]) => [name, is]));
        const order = await place(partner, product, 'completed', own);
        await partner.keepsTo(use.rpc, order, {
          ...filters,
          ...during(order.submitted_at),
          status: [order.status, 'ORDER_STATUS_CANCELLED'],
        });
      },
    }),
  };
}

const lists = (product: Product) => async (use: Use) => {
  const partner = buyer(use);
  const older = await place(partner, product);
  const newer = await place(partner, product, 'refused');
  await place(buyer(use), product);
  expect(await partner.pages(use.rpc)).toEqual([newer, older]);
};
