import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { DiscountCodeRepository } from '../discount/discount-code.repository';
import { applicableDiscount } from '../discount/domain/applicable-discount';
import { toLockedPricing } from '../price-lock/domain/locked-pricing';
import type { PriceLockRepository } from '../price-lock/price-lock.repository';
import type { CartOwner } from './cart-owner';
import type { ChangeCartDeps } from './change-cart';
import type { CheckoutPreview } from './domain/cart-line';
import { priceLines } from './domain/price-lines';

/** What previews and quotes are made with. */
export interface PreviewDeps extends ChangeCartDeps {
  codes: DiscountCodeRepository;
  locks: PriceLockRepository;
}

/** The cart with live prices less a discount, and a lock on them if requested (spec §6.5). Margin and cost are the order's affair. */
export async function previewCheckout(
  deps: PreviewDeps,
  owner: CartOwner,
  { lock, discountCode, call }: { lock: boolean; discountCode: string | undefined; call: CallContext },
): Promise<CheckoutPreview> {
  const { customerRef } = owner;
  const [cart, state] = await Promise.all([
    deps.carts.read(owner, call),
    deps.codes.findState(owner, { code: discountCode, customerRef }),
  ]);
  if (lock && cart.lines.length === 0) throw new AppError('BUSINESS_CART_EMPTY');
  const discount = applicableDiscount(state, { code: discountCode, customerRef, lines: cart.lines });
  const priced = priceLines(cart, deps.defaultCommissionRate, discount);
  // Before the lock, which is the last that happens: whoever gets a 5xx has no lock.
  const displayRate = await deps.rates.find(cart.partner.displayCurrency, call);
  if (!lock) return { lines: cart, priced, displayRate, lock: undefined };
  // A change that came between leaves the lock stale from the start: it is bound to the version that was priced.
  const made = await deps.locks.insert(owner, {
    cartId: cart.id,
    cartVersion: cart.version,
    pricing: toLockedPricing(cart.lines, priced),
    discountCodeId: discount?.id,
  });
  return { lines: cart, priced, displayRate, lock: made };
}
