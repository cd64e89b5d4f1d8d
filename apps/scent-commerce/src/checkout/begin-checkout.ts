import type { BeginCheckoutRequest, Checkout, DisplayRate } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Pool } from 'pg';
import { applicableDiscount, findDiscountState } from '../cart/applicable-discount';
import type { CartOwner } from '../cart/cart.repository';
import type { LoadedCart } from '../cart/domain/shop-line';
import { priceShopLines } from '../cart/price-shop-lines';
import type { PreviewParts } from '../cart/preview-checkout';
import { takeRedemptionSlot } from '../discount/redemption.repository';
import { fromLockedPricing } from '../price-lock/domain/locked-pricing';
import type { PricedCart } from '../pricing/domain/price-cart';
import { reserveStock } from '../stock/stock.repository';
import { toCheckout } from './checkout-message';
import type { CheckoutRecord, CheckoutRepository, FreezeOutcome } from './checkout.repository';
import { assertMargin, assertUsableLock, partnerVatOf } from './domain/checkout-plan';

/** What checkouts are made with. */
export interface CheckoutParts extends PreviewParts {
  pool: Pool;
  checkouts: CheckoutRepository;
}

/** What an order asks for, checked for its shape. */
export type CheckoutRequest = Pick<
  BeginCheckoutRequest,
  'orderKey' | 'lockId' | 'discountCode' | 'partnerIsVatRegistered' | 'partnerTaxRegistrationNumber'
>;

interface Priced {
  priced: PricedCart;
  /** The discount whose slot is to be taken. */
  codeId: string | undefined;
}

/** Freezes, prices and holds a cart for an order, all or nothing; the first answer for good (spec §7.2). */
export async function beginCheckout(
  parts: CheckoutParts,
  owner: CartOwner,
  { request, call }: { request: CheckoutRequest; call: CallContext },
): Promise<Checkout> {
  const known = await parts.checkouts.find(request.orderKey);
  if (known) return answerAgain(known, owner);
  const [cart, lock, state] = await Promise.all([
    parts.carts.read(owner),
    request.lockId === undefined ? undefined : parts.locks.find(owner, request.lockId),
    findDiscountState(parts.codes, owner, request.discountCode),
  ]);
  const partnerVat = partnerVatOf(request, cart.partner);
  if (request.lockId !== undefined) assertUsableLock(lock, cart, request.discountCode);
  if (cart.lines.length === 0) throw new AppError('BUSINESS_CART_EMPTY');
  if (cart.orderKey !== undefined && cart.orderKey !== request.orderKey) {
    throw new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
  }
  const prices: Priced = lock
    ? {
        priced: fromLockedPricing(lock.pricing, partnerVat.isRegistered),
        codeId: lock.discountCodeId ?? undefined,
      }
    : priceLive(parts, cart, {
        owner,
        state,
        discountCode: request.discountCode,
        isRegistered: partnerVat.isRegistered,
      });
  assertMargin(cart, prices.priced);
  const displayRate: DisplayRate | undefined = await parts.rates.find(cart.partner.displayCurrency, call);
  const checkout = toCheckout({
    orderKey: request.orderKey,
    customerRef: owner.customerRef,
    cart,
    priced: prices.priced,
    locked: lock && request.lockId ? { lockId: request.lockId, lines: lock.pricing.lines } : undefined,
    partnerVat,
    displayRate,
  });
  return hold(parts, owner, { checkout, cartVersion: cart.version, codeId: prices.codeId });
}

function priceLive(
  { defaultCommissionRate }: CheckoutParts,
  cart: LoadedCart,
  {
    owner,
    state,
    discountCode,
    isRegistered,
  }: {
    owner: CartOwner;
    state: Awaited<ReturnType<typeof findDiscountState>>;
    discountCode: string | undefined;
    isRegistered: boolean;
  },
): Priced {
  const { customerRef } = owner;
  const discount = applicableDiscount(state, { code: discountCode, customerRef, lines: cart.lines });
  const partner = { ...cart.partner, isVatRegistered: isRegistered };
  return {
    priced: priceShopLines({ ...cart, partner }, defaultCommissionRate, discount),
    codeId: discount?.id,
  };
}

/** Cart, then discount, then stock: every transaction takes them in this order, so that none waits in a circle. */
async function hold(
  parts: CheckoutParts,
  owner: CartOwner,
  { checkout, cartVersion, codeId }: { checkout: Checkout; cartVersion: string; codeId: string | undefined },
): Promise<Checkout> {
  const { orderKey } = checkout;
  const outcome = await withTransaction(parts.pool, async (tx) => {
    const frozen = await parts.checkouts.freeze(tx, owner, { checkout, cartVersion });
    if (frozen !== 'Done') return frozen;
    if (codeId !== undefined) {
      const reason = await takeRedemptionSlot(tx, { orderKey, codeId, customerRef: owner.customerRef });
      if (reason) throw new AppError('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE', { reason });
    }
    const short = await reserveStock(tx, { orderKey, lines: checkout.lines });
    if (short.length > 0) {
      throw new AppError('BUSINESS_INSUFFICIENT_STOCK', {
        variantIds: short.map(({ variantId }) => variantId),
      });
    }
    return frozen;
  });
  if (outcome === 'Done') return checkout;
  const known = outcome === 'Known' ? await parts.checkouts.find(orderKey) : undefined;
  if (known) return answerAgain(known, owner);
  throw notFrozen(outcome);
}

function answerAgain(
  { partnerId, environment, state, checkout }: CheckoutRecord,
  owner: CartOwner,
): Checkout {
  if (partnerId !== owner.partnerId || environment !== owner.environment) {
    throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
  }
  if (state === 'Cancelled' || !checkout) throw new AppError('CONFLICT_ORDER_STATE');
  return checkout;
}

function notFrozen(outcome: Exclude<FreezeOutcome, 'Done'>): AppError {
  switch (outcome) {
    case 'Gone':
      return new AppError('BUSINESS_CART_EMPTY');
    case 'Frozen':
      return new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
    case 'Race':
    case 'Known':
      return new AppError('CONFLICT_CART_CHECKOUT_RACE');
  }
}
