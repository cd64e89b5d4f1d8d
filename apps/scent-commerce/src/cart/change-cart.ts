import type { Cart } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { toCartMessage } from './cart-message';
import type { CartAction, CartOwner, CartRefusal, CartRepository } from './cart.repository';
import { LARGEST_QUANTITY, MOST_LINES } from './domain/cart-rules';
import { priceForDisplay, type PricingParts } from './price-shop-lines';

/** What carts are worked on with. */
export interface CartParts extends PricingParts {
  carts: CartRepository;
}

/** Reads or changes a customer's Open cart and answers it with its live prices; a refusal changes nothing. */
export async function changeCart(
  parts: CartParts,
  owner: CartOwner,
  { action, call }: { action: CartAction; call: CallContext },
): Promise<Cart> {
  const cart = await parts.carts.act(owner, action);
  if (typeof cart === 'string') throw refusal(cart);
  return toCartMessage(owner, cart, await priceForDisplay(parts, cart, { call }));
}

function refusal(reason: CartRefusal): AppError {
  switch (reason) {
    case 'NoVariant':
      return new AppError('NOT_FOUND_VARIANT');
    case 'NoLine':
      return new AppError('NOT_FOUND_CART_ITEM');
    case 'Frozen':
      return new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
    case 'TooManyUnits':
      return validationFailed([
        { path: 'quantity', message: `must leave the line at ${LARGEST_QUANTITY} units or fewer` },
      ]);
    case 'TooManyLines':
      return validationFailed([
        {
          path: 'variantId',
          message: `must be one of the cart’s ${MOST_LINES} lines; it has no room for another`,
        },
      ]);
  }
}
