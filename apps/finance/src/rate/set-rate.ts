import { RequestCheck, toDecimal } from '@reseller/rpc';
import { isCurrencyCode, toFixedString } from '@reseller/money';
import type { DisplayRateRecord, RateRepository } from './rate.repository';

/** Up to here ten million SAR have a display amount that a JSON number carries exactly, in a currency of two decimals (spec §3.3). */
const RATE_LIMIT = 1_000_000;

/** Sets the display units for one SAR; the next balance read uses it. Throws VALIDATION_FAILED. */
export async function setRate(
  rates: RateRepository,
  { currency, rate }: { currency: string; rate: string },
): Promise<DisplayRateRecord> {
  const check = new RequestCheck();
  if (!isCurrencyCode(currency)) check.fault('currency', 'expected a currency code of ISO 4217');
  else if (currency === 'SAR')
    check.fault('currency', 'expected another currency than SAR, the wallet’s own');
  const value = toDecimal(rate);
  if (!value?.greaterThan(0) || value.decimalPlaces() > 6 || value.greaterThanOrEqualTo(RATE_LIMIT)) {
    check.fault(
      'rate',
      `expected a rate of more than zero and less than ${RATE_LIMIT} with at most six decimals`,
    );
  }
  check.end();
  return rates.set(currency, toFixedString(rate, 6));
}
