import type { DisplayRate, RateServiceService } from '@reseller/contracts';
import { Batcher } from '@reseller/database';
import { detachCall, type CallContext, type RpcClient } from '@reseller/rpc';
import { BASE_CURRENCY } from '../pricing/domain/terms';

/** Finds the rate in force for a partner's display currency. */
export interface DisplayRates {
  /**
   * The live rate (spec §3.3); undefined without a display currency, for SAR, and where no rate is known.
   * Throws SERVICE_UNAVAILABLE while finance is away.
   */
  find(displayCurrency: string | undefined, call: CallContext): Promise<DisplayRate | undefined>;
}

const MOST_AT_ONCE = 256;

interface RateRequest {
  currency: string;
  call: CallContext;
}

/**
 * Reads from finance each time, so that an operator's new rate counts at once; those who wait at the same moment share a
 * response that was requested after the last of them came (docs/adr/0012).
 */
export function createDisplayRates(rates: RpcClient<typeof RateServiceService>): DisplayRates {
  const batcher = new Batcher<RateRequest, string | undefined>({
    run: (requests) => getRates(rates, requests),
    concurrency: 1,
    maxBatch: MOST_AT_ONCE,
    keyOf: ({ currency }) => currency,
  });
  return {
    async find(displayCurrency, call) {
      if (displayCurrency === undefined || displayCurrency === BASE_CURRENCY) return undefined;
      const rate = await batcher.submit({ currency: displayCurrency, call }, call);
      return rate === undefined ? undefined : { currency: displayCurrency, rate };
    },
  };
}

/** One call for each currency; it outlives whichever of the callers gives up. */
async function getRates(
  rates: RpcClient<typeof RateServiceService>,
  requests: RateRequest[],
): Promise<(string | undefined)[]> {
  const calls = new Map(requests.map(({ currency, call }) => [currency, call]));
  const found = new Map(
    await Promise.all(
      [...calls].map(async ([currency, call]) => {
        return [currency, (await rates.getRate({ currency }, detachCall(call))).rate] as const;
      }),
    ),
  );
  return requests.map(({ currency }) => found.get(currency));
}
