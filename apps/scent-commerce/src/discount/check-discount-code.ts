import type { CartOwner } from '../cart/cart-owner';
import type { CartRepository } from '../cart/cart.repository';
import { priceLines } from '../cart/domain/price-lines';
import type { AppliedDiscount } from '../pricing/domain/price-cart';
import type { DiscountCodeRepository } from './discount-code.repository';
import { refusalOf } from './domain/applicable-discount';
import type { DiscountRefusal } from './domain/assess-discount-code';

/** What a check is made with. */
export interface CheckDiscountCodeDeps {
  carts: CartRepository;
  codes: DiscountCodeRepository;
  defaultCommissionRate: string;
}

/** Whether a code applies to a cart; `discount` is what it takes off when there is no refusal. */
export interface DiscountCheck {
  /** As stored; as sent when it is unknown. */
  code: string;
  refusal: DiscountRefusal | undefined;
  discount: AppliedDiscount | undefined;
}

/** Tries a code on the cart as it is now (spec §6.8). Holds nothing: the order decides. */
export async function checkDiscountCode(
  deps: CheckDiscountCodeDeps,
  owner: CartOwner,
  code: string,
): Promise<DiscountCheck> {
  const { customerRef } = owner;
  const [cart, state] = await Promise.all([
    deps.carts.read(owner),
    deps.codes.findState(owner, { code, customerRef }),
  ]);
  const refusal = refusalOf(state, { customerRef, lines: cart.lines });
  if (refusal || !state) return { code: state?.code.code ?? code, refusal, discount: undefined };
  const { discount } = priceLines(cart, deps.defaultCommissionRate, state.code);
  return { code: state.code.code, refusal, discount };
}
