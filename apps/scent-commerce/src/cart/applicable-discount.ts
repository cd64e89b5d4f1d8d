import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { DiscountCodeRepository } from '../discount/discount-code.repository';
import {
  assessDiscountCode,
  type DiscountCodeState,
  type DiscountRefusal,
} from '../discount/domain/assess-discount-code';
import type { DiscountCodeRecord } from '../discount/domain/discount-code';
import type { LineToPrice } from '../pricing/domain/price-cart';
import type { CartOwner } from './cart.repository';

/** A code's state when one was named. */
export async function findDiscountState(
  codes: DiscountCodeRepository,
  owner: CartOwner,
  code: string | undefined,
): Promise<DiscountCodeState | undefined> {
  return code === undefined ? undefined : codes.findState(owner, code, owner.customerRef);
}

/** Why a code does not apply to these lines, or undefined when it does. */
export function refusalOf(
  state: DiscountCodeState | undefined,
  { customerRef, lines }: { customerRef: string | undefined; lines: readonly LineToPrice[] },
): DiscountRefusal | undefined {
  return assessDiscountCode(state, {
    customerRef,
    lines: lines.map(({ variantId, listPrice, quantity }) => ({
      variantId,
      gross: decimal(listPrice).times(quantity),
    })),
  });
}

/** The code that was named if it applies to these lines; BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE with its reason if not. */
export function applicableDiscount(
  state: DiscountCodeState | undefined,
  {
    code,
    customerRef,
    lines,
  }: { code: string | undefined; customerRef: string | undefined; lines: readonly LineToPrice[] },
): DiscountCodeRecord | undefined {
  if (code === undefined) return undefined;
  const reason = refusalOf(state, { customerRef, lines });
  if (reason || !state)
    throw new AppError('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE', { reason: reason ?? 'Unknown' });
  return state.code;
}
