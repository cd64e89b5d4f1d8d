import type { DiscountCodeRepository } from '../discount/discount-code.repository';
import type { DiscountRefusal } from '../discount/domain/assess-discount-code';
import type { AppliedDiscount } from '../pricing/domain/price-cart';
import { findDiscountState, refusalOf } from './applicable-discount';
import type { CartOwner, CartRepository } from './cart.repository';
import { priceShopLines } from './price-shop-lines';

/** What a check is made with. */
export interface CheckParts {
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
  { carts, codes, defaultCommissionRate }: CheckParts,
  owner: CartOwner,
  code: string,
): Promise<DiscountCheck> {
  const [cart, state] = await Promise.all([carts.read(owner), findDiscountState(codes, owner, code)]);
  const refusal = refusalOf(state, { customerRef: owner.customerRef, lines: cart.lines });
  if (refusal || !state) return { code: state?.code.code ?? code, refusal, discount: undefined };
  const { discount } = priceShopLines(cart, defaultCommissionRate, state.code);
  return { code: state.code.code, refusal, discount };
}
