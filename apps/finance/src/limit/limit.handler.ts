import type { SpendingLimits as LimitsMessage, SpendingLimitServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import {
  partnerScopeOf,
  RequestCheck,
  requireOperator,
  requirePartner,
  type RpcHandlers,
} from '@reseller/rpc';
import { lowestOf, type SpendingLimits } from './domain/spending-limits';
import { toLimitsInForce, toLimitSetting } from './limit.mapper';
import type { LimitRepository } from './limit.repository';
import { setDescendantLimits, type SetDescendantLimitsDeps } from './set-descendant-limits';

/** The most orders of a day that a number can be limited to. */
const MOST_ORDERS = 1_000_000;

/** What the limits on spending are served with. */
interface LimitHandlerDeps extends SetDescendantLimitsDeps {
  readonly limits: LimitRepository;
}

/** Serves reseller.finance.v1.SpendingLimitService. */
export function createLimitHandlers(deps: LimitHandlerDeps): RpcHandlers<typeof SpendingLimitServiceService> {
  const { limits } = deps;
  return {
    async getOwnLimits(_request, call) {
      const ref = partnerScopeOf(call);
      const [settings, spent] = await Promise.all([limits.list(ref), limits.spentToday(ref)]);
      if (!spent.hasWallet) throw new AppError('NOT_FOUND_WALLET');
      return { limits: toLimitsInForce(lowestOf(settings), spent) };
    },

    async setDescendantLimits(request, call) {
      const { environment } = partnerScopeOf(call);
      const check = new RequestCheck();
      const partnerId = check.uuid('partnerId', request.partnerId);
      const wanted = readLimits(check, request.limits);
      check.end();
      const ref = { partnerId, environment };
      return {
        setting: toLimitSetting(await setDescendantLimits(deps, requirePartner(call), ref, wanted, call)),
      };
    },

    async setPartnerLimits(request, call) {
      requireOperator(call);
      const check = new RequestCheck();
      const ref = check.owner(request);
      const wanted = readLimits(check, request.limits);
      check.end();
      const setting = await limits.set(ref, 'operator', wanted);
      return { setting: setting && toLimitSetting(setting) };
    },

    async getPartnerLimits(request) {
      const check = new RequestCheck();
      const ref = check.owner(request);
      check.end();
      const [settings, spent] = await Promise.all([limits.list(ref), limits.spentToday(ref)]);
      return { limits: toLimitsInForce(lowestOf(settings), spent), settings: settings.map(toLimitSetting) };
    },
  };
}

function readLimits(check: RequestCheck, message: LimitsMessage | undefined): SpendingLimits {
  const { maxOrderAmount, dailySpend, dailyOrdersPerPhone } = message ?? {};
  const amount = (path: string, value: string | undefined): string | null =>
    value === undefined ? null : check.amountOrZero(`limits.${path}`, value);
  const isCount =
    dailyOrdersPerPhone === undefined || (dailyOrdersPerPhone >= 0 && dailyOrdersPerPhone <= MOST_ORDERS);
  if (!isCount) check.fault('limits.dailyOrdersPerPhone', `expected 0 to ${MOST_ORDERS}`);
  return {
    maxOrderAmount: amount('maxOrderAmount', maxOrderAmount),
    dailySpend: amount('dailySpend', dailySpend),
    dailyOrdersPerPhone: dailyOrdersPerPhone ?? null,
  };
}
