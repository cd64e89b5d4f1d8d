import {
  LimitSetter,
  type AmountLimit,
  type CountLimit,
  type LimitsInForce,
  type SpendingLimits,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { presentEnum, presentOptionalAmount, presentRequiredMoment } from './values';

/** Who set a limit, as partners and operators read it. */
type PublicLimitSetter = 'Operator' | 'Ancestor';

const SETTER_NAMES: Partial<Record<LimitSetter, PublicLimitSetter>> = {
  [LimitSetter.OPERATOR]: 'Operator',
  [LimitSetter.ANCESTOR]: 'Ancestor',
};

/** Who set a limit. */
export const presentLimitSetter = (setter: LimitSetter): PublicLimitSetter =>
  presentEnum(SETTER_NAMES, setter);

/** The limits that hold and what is spent of them (spec §17.5); null for none. */
export function presentLimitsInForce(limits: LimitsInForce) {
  return {
    maxOrderAmount: presentLimit(limits.maxOrderAmount),
    dailySpend: presentLimit(limits.dailySpend),
    dailyOrdersPerPhone: presentLimit(limits.dailyOrdersPerPhone),
    spentToday: toJsonNumber(limits.spentToday),
    resetsAt: presentRequiredMoment(limits.resetsAt, 'resets_at'),
  };
}

/** The limits that one of those who may has set; null for none. */
export function presentSpendingLimits(limits: SpendingLimits | undefined) {
  return {
    maxOrderAmount: presentOptionalAmount(limits?.maxOrderAmount),
    dailySpend: presentOptionalAmount(limits?.dailySpend),
    dailyOrdersPerPhone: limits?.dailyOrdersPerPhone ?? null,
  };
}

function presentLimit(found: AmountLimit | CountLimit | undefined) {
  return found ? { limit: toJsonNumber(String(found.limit)), setBy: presentLimitSetter(found.setBy) } : null;
}
