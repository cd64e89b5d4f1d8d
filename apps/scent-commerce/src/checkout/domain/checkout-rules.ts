import { AppError, validationFailed } from '@reseller/errors';
import type { OpenCart, PricingPartner } from '../../cart/domain/cart-line';
import { storedForm } from '../../discount/domain/discount-code';
import type { PriceLock } from '../../price-lock/domain/locked-pricing';
import { assessMargin } from '../../pricing/domain/margin';
import type { PricedCart } from '../../pricing/domain/price-cart';

/** The partner's part of an order's VAT: the request's word, else the profile's (spec §7.1). */
export function partnerVatOf(
  request: {
    partnerIsVatRegistered?: boolean | undefined;
    partnerTaxRegistrationNumber?: string | undefined;
  },
  profile: PricingPartner,
): { isRegistered: boolean; number: string | undefined } {
  const number = request.partnerTaxRegistrationNumber ?? profile.taxRegistrationNumber ?? undefined;
  if (request.partnerIsVatRegistered && number === undefined) {
    throw validationFailed([
      {
        path: 'partnerTaxRegistrationNumber',
        message: 'is required when partnerIsVatRegistered is true and your account has none',
      },
    ]);
  }
  return { isRegistered: request.partnerIsVatRegistered ?? profile.isVatRegistered, number };
}

/** Holds a lock to the cart it is used for; throws why it cannot be (spec §6.5, §6.6). */
export function assertUsableLock(
  lock: PriceLock | undefined,
  cart: OpenCart,
  discountCode: string | undefined,
): asserts lock is PriceLock {
  // The versions differ for ever after a change, also when the lines are the same again.
  if (!lock || lock.isSpent || lock.cartId !== cart.id || lock.cartVersion !== cart.version) {
    throw new AppError('VALIDATION_PRICE_LOCK_INVALID');
  }
  // Both times are the database's.
  if (lock.expiresAt <= cart.pricedAt) throw new AppError('VALIDATION_PRICE_LOCK_EXPIRED');
  const code = discountCode === undefined ? undefined : storedForm(discountCode);
  if (discountCode !== undefined && (code === undefined || code !== lock.pricing.discount?.code)) {
    throw validationFailed([
      { path: 'discountCode', message: 'must be the one of the price lock, or be left out' },
    ]);
  }
}

/** Refuses a cart that is empty or held by another order. */
export function assertFreeCart(cart: OpenCart, orderKey: string): void {
  if (cart.lines.length === 0) throw new AppError('BUSINESS_CART_EMPTY');
  if (cart.orderKey !== undefined && cart.orderKey !== orderKey) {
    throw new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
  }
}

/** Holds the order's prices to the live costs of its variants (spec §6.5). */
export function assertMargin(cart: OpenCart, priced: PricedCart): void {
  const costs = new Map(cart.lines.map(({ variantId, cost }) => [variantId, cost]));
  const refusal = assessMargin(
    priced.lines.map(({ basis: { variantId, quantity }, goods, commission }) => {
      const unitCost = costs.get(variantId);
      if (unitCost === undefined) throw new Error('a priced line is not in its cart');
      return { quantity, goods: goods.value, commission: commission.value, unitCost };
    }),
  );
  if (refusal) throw new AppError(refusal);
}
