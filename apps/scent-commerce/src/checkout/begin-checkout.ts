import type { BeginCheckoutRequest, Checkout } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { CartOwner } from '../cart/cart-owner';
import { priceLines } from '../cart/domain/price-lines';
import type { PreviewDeps } from '../cart/preview-checkout';
import { applicableDiscount, notApplicable } from '../discount/domain/applicable-discount';
import { fromLockedPricing } from '../price-lock/domain/locked-pricing';
import { toCheckout } from './checkout.mapper';
import type { BeginResult, CheckoutRecord, CheckoutRepository } from './checkout.repository';
import { assertFreeCart, assertMargin, assertUsableLock, partnerVatOf } from './domain/checkout-rules';
import { stateOf } from './domain/checkout-state';

/** What checkouts are made with. */
export interface BeginCheckoutDeps extends PreviewDeps {
  pool: Pool;
  checkouts: CheckoutRepository;
}

/** What an order requests, checked for its shape. */
type CheckoutRequest = Pick<
  BeginCheckoutRequest,
  'orderKey' | 'lockId' | 'discountCode' | 'partnerIsVatRegistered' | 'partnerTaxRegistrationNumber'
>;

/** Freezes, prices and holds a cart for an order, all or nothing; the first response for good (spec §7.2). */
export async function beginCheckout(
  deps: BeginCheckoutDeps,
  owner: CartOwner,
  { request, call }: { request: CheckoutRequest; call: CallContext },
): Promise<Checkout> {
  const { orderKey } = request;
  try {
    const begun = await holdCart(deps, owner, { request, call });
    if (begun) return begun;
  } catch (error) {
    // A repetition finds its cart held, gone or another one by now: what came of its key goes before that.
    const known = await deps.checkouts.find(orderKey);
    if (known) return repeatOf(known, owner);
    throw error;
  }
  // An earlier attempt of the same order, or the order was cancelled meanwhile.
  return repeatOf(await deps.checkouts.find(orderKey), owner);
}

/** The checkout that began, or undefined when its key is known; throws why it cannot begin. */
async function holdCart(
  deps: BeginCheckoutDeps,
  owner: CartOwner,
  { request, call }: { request: CheckoutRequest; call: CallContext },
): Promise<Checkout | undefined> {
  const { orderKey, lockId, discountCode } = request;
  const { customerRef } = owner;
  const [cart, lock, state] = await Promise.all([
    deps.carts.read(owner, call),
    lockId === undefined ? undefined : deps.locks.find(owner, lockId),
    deps.codes.findState(owner, { code: discountCode, customerRef }),
  ]);
  const partnerVat = partnerVatOf(request, cart.partner);
  if (lockId !== undefined) assertUsableLock(lock, cart, discountCode);
  assertFreeCart(cart, orderKey);
  const discount = lock
    ? undefined
    : applicableDiscount(state, { code: discountCode, customerRef, lines: cart.lines });
  const partner = { ...cart.partner, isVatRegistered: partnerVat.isRegistered };
  const priced = lock
    ? fromLockedPricing(lock.pricing, partnerVat.isRegistered)
    : priceLines({ ...cart, partner }, deps.defaultCommissionRate, discount);
  assertMargin(cart, priced);
  const displayRate = await deps.rates.find(cart.partner.displayCurrency, call);
  const checkout = toCheckout({ orderKey, customerRef, cart, priced, lock, partnerVat, displayRate });
  const codeId = lock ? lock.discountCodeId : discount?.id;
  const draft = { checkout, cartVersion: cart.version, codeId };
  return begunOrKnown(await deps.checkouts.begin(owner, draft, call)) === 'Begun' ? checkout : undefined;
}

function begunOrKnown(result: BeginResult): 'Begun' | 'Known' {
  switch (result.outcome) {
    case 'Begun':
    case 'Known':
      return result.outcome;
    case 'Short':
      throw new AppError('BUSINESS_INSUFFICIENT_STOCK', { variantIds: result.short });
    case 'Gone':
      throw new AppError('BUSINESS_CART_EMPTY');
    case 'Frozen':
      throw new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
    case 'Changed':
      throw new AppError('CONFLICT_CART_CHECKOUT_RACE');
    default:
      throw notApplicable(result.outcome);
  }
}

function repeatOf(known: CheckoutRecord | undefined, owner: CartOwner): Checkout {
  if (stateOf(known, owner) === 'Cancelled' || !known?.checkout) throw new AppError('CONFLICT_ORDER_STATE');
  return known.checkout;
}
