import type { PreviewCheckoutResponse } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { DiscountCodeRepository } from '../discount/discount-code.repository';
import { toLockedPricing } from '../price-lock/domain/locked-pricing';
import type { PriceLockRepository } from '../price-lock/price-lock.repository';
import { applicableDiscount, findDiscountState } from './applicable-discount';
import { toCartMessage, toDiscountMessage } from './cart-message';
import type { CartOwner } from './cart.repository';
import type { CartParts } from './change-cart';
import { priceForDisplay } from './price-shop-lines';

/** What previews and quotes are made with. */
export interface PreviewParts extends CartParts {
  codes: DiscountCodeRepository;
  locks: PriceLockRepository;
}

/** The cart with live prices less a discount, and a lock on them if asked (spec §6.5). Margin and cost are the order's affair. */
export async function previewCheckout(
  parts: PreviewParts,
  owner: CartOwner,
  { lock, discountCode, call }: { lock: boolean; discountCode: string | undefined; call: CallContext },
): Promise<PreviewCheckoutResponse> {
  const [cart, state] = await Promise.all([
    parts.carts.read(owner),
    findDiscountState(parts.codes, owner, discountCode),
  ]);
  if (lock && cart.lines.length === 0) throw new AppError('BUSINESS_CART_EMPTY');
  const discount = applicableDiscount(state, {
    code: discountCode,
    customerRef: owner.customerRef,
    lines: cart.lines,
  });
  const prices = await priceForDisplay(parts, cart, { call, discount });
  // A change that came between leaves the lock stale from the start: it is bound to the version that was priced.
  const made = lock
    ? await parts.locks.insert(owner, {
        cartId: cart.id,
        cartVersion: cart.version,
        pricing: toLockedPricing(cart.lines, prices.priced),
        discountCodeId: discount?.id,
      })
    : undefined;
  return {
    cart: toCartMessage(owner, cart, prices),
    discount: toDiscountMessage(prices.priced.discount),
    lockId: made?.id,
    lockExpiresAt: made?.expiresAt,
  };
}
