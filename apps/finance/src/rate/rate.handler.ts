import type { RateServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { awaitPartnerVersion } from '@reseller/messaging';
import { isCurrencyCode } from '@reseller/money';
import { RequestCheck, requireOperator, type RpcHandlers } from '@reseller/rpc';
import type { RateRepository } from './rate.repository';
import { setRate } from './set-rate';

/** What the rate service works with. */
interface RateHandlerDeps {
  rates: RateRepository;
  profiles: { findVersion(partnerId: string): Promise<number> };
}

/** Serves reseller.finance.v1.RateService. */
export function createRateHandlers({
  rates,
  profiles,
}: RateHandlerDeps): RpcHandlers<typeof RateServiceService> {
  return {
    setRate: async (request, call) => {
      requireOperator(call);
      return setRate(rates, request);
    },

    async getRate({ currency }) {
      const check = new RequestCheck();
      if (!isCurrencyCode(currency)) check.fault('currency', 'expected a currency code of ISO 4217');
      check.end();
      return { rate: await rates.find(currency) };
    },

    async listRates({ page }) {
      const list = await rates.list(pageBounds(page));
      return { rates: list.rates, page: toPageInfo(page, list.totalCount) };
    },

    async awaitPartnerVersion({ partnerId, version }, call) {
      const check = new RequestCheck();
      const id = check.uuid('partnerId', partnerId);
      check.end();
      return { isSeen: await awaitPartnerVersion(profiles, { partnerId: id, version }, call) };
    },
  };
}
