import {
  LimitSetter as SetterMessage,
  type LimitsInForce as LimitsInForceMessage,
  type LimitSetting as LimitSettingMessage,
} from '@reseller/contracts';
import type { LimitInForce, LimitsInForce, LimitSetter, LimitSetting } from './domain/spending-limits';
import type { SpentToday } from './limit.repository';

/** The limits that hold, and what is spent of them. */
export function toLimitsInForce(
  limits: LimitsInForce,
  { spentToday, resetsAt }: SpentToday,
): LimitsInForceMessage {
  return {
    maxOrderAmount: toLimit(limits.maxOrderAmount),
    dailySpend: toLimit(limits.dailySpend),
    dailyOrdersPerPhone: toLimit(limits.dailyOrdersPerPhone),
    spentToday,
    resetsAt,
  };
}

/** What one of those who set limits has set. */
export function toLimitSetting({ setter, setAt, ...limits }: LimitSetting): LimitSettingMessage {
  const { maxOrderAmount, dailySpend, dailyOrdersPerPhone } = limits;
  return {
    setBy: toSetter(setter),
    ancestorPartnerId: setter === 'operator' ? undefined : setter.ancestorId,
    limits: {
      maxOrderAmount: maxOrderAmount ?? undefined,
      dailySpend: dailySpend ?? undefined,
      dailyOrdersPerPhone: dailyOrdersPerPhone ?? undefined,
    },
    setAt,
  };
}

function toLimit<T>(found: LimitInForce<T> | null): { limit: T; setBy: SetterMessage } | undefined {
  return found ? { limit: found.limit, setBy: toSetter(found.setter) } : undefined;
}

const toSetter = (setter: LimitSetter): SetterMessage =>
  setter === 'operator' ? SetterMessage.OPERATOR : SetterMessage.ANCESTOR;
