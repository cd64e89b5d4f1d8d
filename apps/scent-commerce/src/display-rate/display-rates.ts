import type { DisplayRate, RateServiceService } from '@reseller/contracts';
import { Batcher } from '@reseller/database';
import { detachCall, type CallContext, type RpcClient } from '@reseller/rpc';

/** The currency that everything is priced in; it needs no rate of its own. */
const BASE_CURRENCY = 'SAR';

/** Answers the rate in force for a partner's display currency. */
export interface DisplayRates {
  /**
   * The live rate (spec §3.3); undefined without a display currency, for SAR, and where no rate is known.
   * Throws SERVICE_UNAVAILABLE while finance is away.
   */
  find(displayCurrency: string | undefined, call: CallContext): Promise<DisplayRate | undefined>;
}

const MOST_AT_ONCE = 256;

interface Wanted {
  currency: string;
  call: CallContext;
}

/**
 * Asks finance each time, so that an operator's new rate shows at once; those who wait at the same moment share an answer,
 * which was asked for after the last of them came (docs/adr/0012).
 */
export function createDisplayRates(rates: RpcClient<typeof RateServiceService>): DisplayRates {
  const batcher = new Batcher<Wanted, string | undefined>({
    run: (wanted) => askTogether(rates, wanted),
    concurrency: 1,
    maxBatch: MOST_AT_ONCE,
    shouldTrySingly: () => false,
  });
  return {
    async find(displayCurrency, call) {
      if (displayCurrency === undefined || displayCurrency === BASE_CURRENCY) return undefined;
      const rate = await batcher.submit({ currency: displayCurrency, call });
      return rate === undefined ? undefined : { currency: displayCurrency, rate };
    },
  };
}

/** One question for each currency; it outlives whichever of the callers gives up. */
async function askTogether(
  rates: RpcClient<typeof RateServiceService>,
  wanted: Wanted[],
): Promise<(string | undefined)[]> {
  const calls = new Map(wanted.map(({ currency, call }) => [currency, call]));
  const answers = new Map(
    await Promise.all(
      [...calls].map(async ([currency, call]) => {
        return [currency, (await rates.getRate({ currency }, detachCall(call))).rate] as const;
      }),
    ),
  );
  return wanted.map(({ currency }) => answers.get(currency));
}
