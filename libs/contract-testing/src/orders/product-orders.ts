import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import type { Message, ServiceContract } from '../contract';
import { rpc, type Sentences } from '../notation';
import { byAStranger, inTheOtherEnvironment, notFound } from '../variations';
import type { World } from '../world';
import { buyer, place, REQUESTS, type Product } from './arrange';

/** How orders of one product are read; `more` are sentences of GetXOrder of its own. */
export function productReads(
  product: Product,
  code: ErrorCode,
  filters: Message,
  others: readonly Message[],
  more: Sentences = {},
): ServiceContract['rpcs'] {
  const placed = (field: string) => async (world: World) => {
    const partner = buyer(world);
    return [partner, { [field]: (await place(partner, product))[field] }] as const;
  };
  return {
    [`Get${product}Order`]: rpc(placed('order_id'), {
      'answers the order as it was placed': async (use) => {
        const partner = buyer(use);
        const order = await place(partner, product);
        expect(await partner.get(`Get${product}Order`, { order_id: order.order_id })).toEqual(order);
      },
      ...notFound(code, 'order_id'),
      ...more,
    }),
    [`Get${product}OrderByReference`]: rpc(placed('external_reference'), {
      'answers the order of a reference': async (use) => {
        const partner = buyer(use);
        const order = await place(partner, product);
        const { external_reference } = order;
        expect(await partner.get(`Get${product}OrderByReference`, { external_reference })).toEqual(order);
      },
      [`${code}: a reference nobody used`]: { external_reference: 'none' },
      [`${code}: another partner’s`]: byAStranger,
      [`${code}: the other environment’s`]: inTheOtherEnvironment,
    }),
    [`List${product}Orders`]: rpc(undefined, {
      'lists newest first, page by page, and nobody else’s': async (use) => {
        const partner = buyer(use);
        const older = await place(partner, product);
        const newer = await place(partner, product, 'refused');
        await place(buyer(use), product);
        expect(await partner.pages(`List${product}Orders`)).toEqual([newer, older]);
      },
      'keeps to a status, and to a time from inclusive to exclusive; scent orders to a customer too': async (
        use,
      ) => {
        const partner = buyer(use);
        const order = await partner.get(`Create${product}Order`, { ...REQUESTS[product](), ...filters });
        const from_at = new Date(String(order.submitted_at));
        const to_at = new Date(from_at.getTime() + 1);
        const all = { ...filters, status: order.status, from_at, to_at };
        const times = [
          { from_at: to_at, to_at: undefined },
          { from_at: undefined, to_at: from_at },
        ];
        const otherStatus = { status: 'ORDER_STATUS_CANCELLED' };
        await partner.keepsTo(`List${product}Orders`, all, [...times, otherStatus, ...others], [order]);
      },
    }),
  };
}
