import { DiscountRefusal, type CheckDiscountCodeResponse } from '@reseller/contracts';
import { presentEnum } from '@reseller/presenters';
import type { z } from 'zod';
import type { DISCOUNT_REFUSALS } from './discount-code.schema';
import type { discountCheck } from '../scent-cart/cart.schema';
import { presentDiscount } from '../scent-cart/cart.presenter';

const REFUSAL_NAMES: Partial<Record<DiscountRefusal, (typeof DISCOUNT_REFUSALS)[number]>> = {
  [DiscountRefusal.UNKNOWN]: 'Unknown',
  [DiscountRefusal.INACTIVE]: 'Inactive',
  [DiscountRefusal.NOT_STARTED]: 'NotStarted',
  [DiscountRefusal.EXPIRED]: 'Expired',
  [DiscountRefusal.USAGE_CAP_REACHED]: 'UsageCapReached',
  [DiscountRefusal.CUSTOMER_CAP_REACHED]: 'CustomerCapReached',
  [DiscountRefusal.CUSTOMER_REF_REQUIRED]: 'CustomerRefRequired',
  [DiscountRefusal.BELOW_MINIMUM_ORDER]: 'BelowMinimumOrder',
  [DiscountRefusal.NO_ELIGIBLE_LINES]: 'NoEligibleLines',
};

/** The outcome of trying a code on a cart. */
export function presentDiscountCheck({
  code,
  refusal,
  discount,
}: CheckDiscountCodeResponse): z.input<typeof discountCheck> {
  const isApplicable = refusal === DiscountRefusal.UNSPECIFIED;
  const reason = isApplicable ? null : presentEnum(REFUSAL_NAMES, refusal);
  return { code, isApplicable, reason, discount: presentDiscount(discount) };
}
