import type { DisplayRate, RateServiceService } from '@reseller/contracts';
import { Batcher } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { detachCall, type CallContext, type RpcClient } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import { LRUCache } from 'lru-cache';
import { BASE_CURRENCY } from '../pricing/domain/terms';
import type { KnownRates } from './known-rates';

/** Finds the rate in force for a partner's display currency. */
export interface DisplayRates {
  /**
   * The live rate (spec §3.3), or the last one known while it cannot be read; undefined without a display currency, for SAR, and
   * where no rate is known. Never throws, and waits for finance no longer than two attempts of DEADLINE_MS.
   */
  find(displayCurrency: string | undefined, call: CallContext): Promise<DisplayRate | undefined>;
}

/** What display rates are found with. */
interface DisplayRatesDeps {
  readonly rates: Pick<RpcClient<typeof RateServiceService>, 'getRate'>;
  readonly known: KnownRates;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** One attempt that is under way and one of one's own leave a read, which has two seconds (spec §1.10), time for itself. */
const DEADLINE_MS = 700;
/** After an attempt that took all of its time nobody waits for another that soon. */
const PAUSE_MS = 1_000;
const MOST_CURRENCIES = 256;

interface RateRequest {
  currency: string;
  call: CallContext;
}

/**
 * Reads from finance each time, so that an operator's new rate counts at once; those who wait at the same moment for the same
 * currency share a response that was requested after the last of them came (docs/adr/0012).
 */
export function createDisplayRates({ rates, known, log }: DisplayRatesDeps): DisplayRates {
  const failures = new LRUCache<string, { until: number }>({ max: MOST_CURRENCIES });
  const batcher = new Batcher<RateRequest, string | undefined>({
    run: async ([first]) => {
      if (!first) return [];
      const { currency, call } = first;
      if ((failures.get(currency)?.until ?? 0) > performance.now()) throw new AppError('SERVICE_UNAVAILABLE');
      const startedAt = performance.now();
      try {
        // It outlives whichever of the callers gives up.
        const { rate } = await rates.getRate({ currency }, detachCall(call), { deadlineMs: DEADLINE_MS });
        if (failures.delete(currency)) log.info({ currency }, 'the display rate can be read again');
        known.remember(currency, rate);
        return [rate];
      } catch (err) {
        const failedAt = performance.now();
        const isSlow = failedAt - startedAt >= DEADLINE_MS / 2;
        if (!failures.has(currency))
          log.warn({ err, currency }, 'a display rate cannot be read; the last one known is used');
        failures.set(currency, { until: isSlow ? failedAt + PAUSE_MS : failedAt });
        throw err;
      }
    },
    concurrency: MOST_CURRENCIES,
    maxBatch: 1,
    groupOf: ({ currency }) => currency,
    keyOf: ({ currency }) => currency,
  });
  return {
    async find(displayCurrency, call) {
      if (displayCurrency === undefined || displayCurrency === BASE_CURRENCY) return undefined;
      const currency = displayCurrency;
      const rate = await batcher.submit({ currency, call }).catch(async () => {
        return (await known.recall(currency))?.rate;
      });
      return rate === undefined ? undefined : { currency, rate };
    },
  };
}
