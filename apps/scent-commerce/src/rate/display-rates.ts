import type { DisplayRate, RateServiceService } from '@reseller/contracts';
import type { CallContext, RpcClient } from '@reseller/rpc';

/** The currency that everything is priced in; it needs no rate of its own. */
const BASE_CURRENCY = 'SAR';

/** Answers the rate in force for a partner's display currency. */
export interface DisplayRates {
  /**
   * The live rate (decisions §3.3); undefined without a display currency, for SAR, and where no rate is known.
   * Throws SERVICE_UNAVAILABLE while finance is away.
   */
  find(displayCurrency: string | undefined, call: CallContext): Promise<DisplayRate | undefined>;
}

/** Asks finance each time, so that an operator's new rate shows at once. */
export function createDisplayRates(rates: RpcClient<typeof RateServiceService>): DisplayRates {
  return {
    async find(displayCurrency, call) {
      if (displayCurrency === undefined || displayCurrency === BASE_CURRENCY) return undefined;
      const { rate } = await rates.getRate({ currency: displayCurrency }, call);
      return rate === undefined ? undefined : { currency: displayCurrency, rate };
    },
  };
}
