import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { LineToPrice } from '../../pricing/domain/price-cart';
import { assessDiscountCode, type DiscountCodeState, type DiscountRefusal } from './assess-discount-code';
import type { DiscountCodeRecord } from './discount-code';

/** What a code is tried on. */
interface DiscountTrial {
  /** As the customer typed it; undefined when none was named. */
  code: string | undefined;
  customerRef: string | undefined;
  lines: readonly LineToPrice[];
}

/** Why a code does not apply to these lines, or undefined when it does. */
export function refusalOf(
  state: DiscountCodeState | undefined,
  { customerRef, lines }: Pick<DiscountTrial, 'customerRef' | 'lines'>,
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
  trial: DiscountTrial,
): DiscountCodeRecord | undefined {
  if (trial.code === undefined) return undefined;
  const reason = refusalOf(state, trial);
  if (reason || !state) throw notApplicable(reason ?? 'Unknown');
  return state.code;
}

/** BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE with its reason. */
export const notApplicable = (reason: DiscountRefusal): AppError =>
  new AppError('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE', { reason });
