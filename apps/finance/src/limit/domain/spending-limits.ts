import { decimal } from '@reseller/money';

/** What somebody lets a partner spend; null for no limit. Amounts are SAR with two decimals. */
export interface SpendingLimits {
  readonly maxOrderAmount: string | null;
  readonly dailySpend: string | null;
  readonly dailyOrdersPerPhone: number | null;
}

/** Who sets limits: all operators together, or the ancestor of this id. */
export type LimitSetter = 'operator' | { readonly ancestorId: string };

/** The limits of one who sets them. */
export interface LimitSetting extends SpendingLimits {
  readonly setter: LimitSetter;
  readonly setAt: Date;
}

/** A limit that holds, and whose it is. */
export interface LimitInForce<T> {
  readonly limit: T;
  readonly setter: LimitSetter;
}

/** The limits that hold; null for none. */
export interface LimitsInForce {
  readonly maxOrderAmount: LimitInForce<string> | null;
  readonly dailySpend: LimitInForce<string> | null;
  readonly dailyOrdersPerPhone: LimitInForce<number> | null;
}

/** Of several limits the lowest holds (spec §17.5), of equal ones the first given. */
export function lowestOf(settings: readonly LimitSetting[]): LimitsInForce {
  return {
    maxOrderAmount: lowest(settings, ({ maxOrderAmount }) => maxOrderAmount),
    dailySpend: lowest(settings, ({ dailySpend }) => dailySpend),
    dailyOrdersPerPhone: lowest(settings, ({ dailyOrdersPerPhone }) => dailyOrdersPerPhone),
  };
}

function lowest<T extends string | number>(
  settings: readonly LimitSetting[],
  read: (setting: LimitSetting) => T | null,
): LimitInForce<T> | null {
  let found: LimitInForce<T> | null = null;
  for (const setting of settings) {
    const limit = read(setting);
    if (limit === null) continue;
    if (!found || decimal(limit).lessThan(found.limit)) found = { limit, setter: setting.setter };
  }
  return found;
}
