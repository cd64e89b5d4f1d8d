import { CheckoutState } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { environmentNameOf, type CallContext } from '@reseller/rpc';
import type { CheckoutStates } from '../clients/scent-commerce/checkout-states';
import { isShopRefusal, type Checkouts } from '../clients/scent-commerce/checkouts';
import type { OrderRepository } from '../order/order.repository';

/** What freeing a checkout works with. */
export interface FreeCheckoutDeps {
  readonly orders: Pick<OrderRepository, 'findByGlobalId'>;
  readonly checkouts: Pick<Checkouts, 'cancel'>;
  readonly checkoutStates: Pick<CheckoutStates, 'find'>;
}

/**
 * Undoes the checkout of an order that does not exist; safe to repeat. Throws NOT_FOUND_ORDER where there is no checkout,
 * CONFLICT_ORDER_STATE where there is an order or its units were taken, and SERVICE_UNAVAILABLE.
 */
export async function freeCheckout(
  { orders, checkouts, checkoutStates }: FreeCheckoutDeps,
  globalId: string,
  call: CallContext,
): Promise<void> {
  // The checkout first: an order is recorded before its checkout begins, so one that is missing afterwards will not come.
  const checkout = await checkoutStates.find(globalId);
  if (await orders.findByGlobalId(globalId)) throw new AppError('CONFLICT_ORDER_STATE');
  if (!checkout) throw new AppError('NOT_FOUND_ORDER');
  const { state, partnerId } = checkout;
  const environment = environmentNameOf(checkout.environment);
  // A shop of the version before does not say whose it is.
  if (!environment) throw new AppError('SERVICE_UNAVAILABLE');
  if (state === CheckoutState.COMMITTED) throw new AppError('CONFLICT_ORDER_STATE');
  try {
    await checkouts.cancel({ globalId, partnerId, environment }, call);
  } catch (error) {
    throw isShopRefusal(error) ? new AppError('CONFLICT_ORDER_STATE', {}, { cause: error }) : error;
  }
}
