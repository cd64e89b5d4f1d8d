import { during, expect, reads, rpc } from '../prelude';
import type { Message, Sentences, ServiceContract, World } from '../prelude';
import { buyer, place, type Product } from './arrange';

/** How orders of one product are read; `filters` and `more` are filters of its list and sentences of GetXOrder of its own. */
export function productReads(
  product: Product,
  filters: Readonly<Record<string, readonly [string, string]>> = {},
  more: Sentences = {},
): ServiceContract['rpcs'] {
  const placed = async (world: World): Promise<[ReturnType<typeof buyer>, Message]> => {
    const partner = buyer(world);
    return [partner, await place(partner, product)];
  };
  return {
    [`Get${product}Order`]: reads(placed, ({ order_id }) => ({ order_id }), more),
    [`Get${product}OrderByReference`]: reads(placed, ({ external_reference }) => ({ external_reference })),
    [`List${product}Orders`]: rpc(undefined, {
      'lists newest first, page by page, and nobody else’s': async (use) => {
        const partner = buyer(use);
        const older = await place(partner, product);
        const newer = await place(partner, product, 'refused');
        await place(buyer(use), product);
        expect(await partner.pages(use.rpc)).toEqual([newer, older]);
      },
      'keeps to a status, a time from inclusive to exclusive, and scent orders to a customer': async (
        use,
      ) => {
        const partner = buyer(use);
        const own = Object.fromEntries(Object.entries(filters).map(([name, [is]]) => [name, is]));
        const order = await place(partner, product, 'completed', own);
        await partner.keepsTo(use.rpc, order, {
          ...filters,
          ...during(order.submitted_at),
          status: order.status,
        });
      },
    }),
  };
}
