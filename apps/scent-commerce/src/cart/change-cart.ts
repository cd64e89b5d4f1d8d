import { AppError, validationFailed } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { DisplayRates } from '../display-rate/display-rates';
import type { CartOwner } from './cart-owner';
import type { CartChange, CartRefusal, CartRepository } from './cart.repository';
import type { OpenCart, Priced } from './domain/cart-line';
import { LARGEST_QUANTITY, MOST_LINES } from './domain/cart-rules';
import { priceLines } from './domain/price-lines';

/** What carts are worked on with. */
export interface ChangeCartDeps {
  carts: CartRepository;
  rates: DisplayRates;
  /** The commission where neither partner nor brand has a rate; a fraction. */
  defaultCommissionRate: string;
}

/**
 * Reads or changes a customer's Open cart and returns it with its live prices; a refusal changes nothing. The statement that
 * changes the cart reads all that it is priced from; what follows its commit is arithmetic and a rate that may be missing, so a
 * change that was committed is never returned as a failure (spec §3.3).
 */
export async function changeCart(
  deps: ChangeCartDeps,
  owner: CartOwner,
  { change, call }: { change: CartChange; call: CallContext },
): Promise<Priced<OpenCart>> {
  const cart = await deps.carts.change(owner, change, call);
  if (typeof cart === 'string') throw toError(cart);
  const priced = priceLines(cart, deps.defaultCommissionRate);
  const displayRate = await deps.rates.find(cart.partner.displayCurrency, call);
  return { lines: cart, priced, displayRate };
}

function toError(refusal: CartRefusal): AppError {
  switch (refusal) {
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
