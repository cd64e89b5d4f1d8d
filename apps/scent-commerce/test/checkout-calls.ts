import { Environment, type BeginCheckoutRequest, type Checkout } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import { stockOf } from './scent-database';
import { callAs, type ScentService } from './scent-service';

/** A partner of its own, in live. */
export const newCall = (): CallContext => callAs(uuidv7());

/** orders-saga's: it names the partner in the request. */
export const anyCall = { requestId: 'r' };

/** The partner's checkout of this key. */
export const named = (call: CallContext, orderKey: string) => ({
  orderKey,
  partnerId: call.partner?.partnerId ?? '',
  environment: call.partner?.environment ?? Environment.UNSPECIFIED,
});

/** Keys of orders to come. */
export const keys = (count: number): string[] => Array.from({ length: count }, () => `ORD-${uuidv7()}`);

/** One of them. */
export const newKey = (): string => keys(1)[0] ?? '';

/** What became of a call: "ok", the reason that its refusal gives, or its code. */
export const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: { code?: string; details?: { reason?: string } }) => error.details?.reason ?? String(error.code),
  );

const unlessUnavailable = (error: { code?: string }): undefined => {
  if (error.code !== 'SERVICE_UNAVAILABLE') throw error;
};

/** A checkout's calls, and what it leaves; the service is the one that runs when they are made. */
export const checkoutCalls = (scents: () => ScentService) => ({
  /** Repeated under its key while the service has no connection, as orders-saga does. */
  async begin(
    call: CallContext,
    orderKey: string,
    more: Partial<BeginCheckoutRequest> = {},
  ): Promise<Checkout> {
    const request = { ...named(call, orderKey), ...more };
    const attempt = () => scents().checkouts.beginCheckout(request, anyCall).catch(unlessUnavailable);
    let response = await attempt();
    while (!response) response = await attempt();
    const { checkout } = response;
    if (!checkout) throw new Error('no checkout');
    return checkout;
  },
  commit: (call: CallContext, key: string) => scents().checkouts.commitCheckout(named(call, key), anyCall),
  cancel: (call: CallContext, key: string) => scents().checkouts.cancelCheckout(named(call, key), anyCall),
  add: async (call: CallContext, variantId: string, quantity = 1, customerRef?: string) =>
    (await scents().carts.addCartItem({ variantId, quantity, customerRef }, call)).cart,
  lock: async (call: CallContext, discountCode?: string): Promise<string> =>
    (await scents().carts.previewCheckout({ lock: true, discountCode }, call)).lockId ?? '',
  stock: async (variantId: string) => (await stockOf(scents().database.pool, [variantId], 'live'))[0],
  async codeCounts(id: string) {
    const { rows } = await scents().database.pool.query<{ usage: number; pending: number }>(
      'SELECT usage_count AS usage, pending_count AS pending FROM discount_codes WHERE id = $1',
      [id],
    );
    return rows[0];
  },
});
