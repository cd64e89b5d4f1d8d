import { decimal } from '@reseller/money';
import { eligibleGoods, type DiscountableLine } from '../../pricing/domain/discount';
import type { DiscountCodeRecord } from './discount-code';

/** Why a code does not apply, in the order in which it is looked at (spec §1.5, §6.8). */
export const DISCOUNT_REFUSALS = [
  'Unknown',
  'Inactive',
  'NotStarted',
  'Expired',
  'UsageCapReached',
  'CustomerCapReached',
  'CustomerRefRequired',
  'BelowMinimumOrder',
  'NoEligibleLines',
] as const;

/** details.reason of BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE. */
export type DiscountRefusal = (typeof DISCOUNT_REFUSALS)[number];

/** A code and what it has been used for, as one moment saw it. */
export interface DiscountCodeState {
  code: DiscountCodeRecord;
  /** The customer's redemptions and pending slots of this code; 0 without a customer. */
  customerUses: number;
  /** That moment, on the database's clock. */
  now: Date;
}

/** What a code is tried on. */
export interface DiscountTarget {
  customerRef: string | undefined;
  /** Every line of the cart, priced or not, with its goods before the discount. */
  lines: readonly DiscountableLine[];
}

/** The first reason against a code, or undefined when it applies; the state is undefined for a code that is not there. */
export function assessDiscountCode(
  state: DiscountCodeState | undefined,
  target: DiscountTarget,
): DiscountRefusal | undefined {
  if (!state) return 'Unknown';
  return (
    refusalByTime(state) ??
    refusalByCaps(state, target.customerRef) ??
    refusalByGoods(state.code, target.lines)
  );
}

function refusalByTime({ code, now }: DiscountCodeState): DiscountRefusal | undefined {
  if (!code.isActive) return 'Inactive';
  if (code.validFrom && now < code.validFrom) return 'NotStarted';
  return code.validTo && now > code.validTo ? 'Expired' : undefined;
}

/** Whether a cap refuses another order; pending slots block others already (spec §6.7). begin_checkouts says the same under locks. */
function refusalByCaps(
  { code, customerUses }: DiscountCodeState,
  customerRef: string | undefined,
): DiscountRefusal | undefined {
  const { totalUsageCap, perCustomerCap, usageCount, pendingCount } = code;
  if (totalUsageCap !== null && usageCount + pendingCount >= totalUsageCap) return 'UsageCapReached';
  if (perCustomerCap === null) return undefined;
  if (customerRef === undefined) return 'CustomerRefRequired';
  return customerUses >= perCustomerCap ? 'CustomerCapReached' : undefined;
}

function refusalByGoods(
  code: DiscountCodeRecord,
  lines: readonly DiscountableLine[],
): DiscountRefusal | undefined {
  const { lineCount, goods } = eligibleGoods(code, lines);
  if (code.minOrderValue !== null && goods.lessThan(decimal(code.minOrderValue))) return 'BelowMinimumOrder';
  return lineCount === 0 ? 'NoEligibleLines' : undefined;
}
