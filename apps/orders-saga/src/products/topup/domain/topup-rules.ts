import { AppError } from '@reseller/errors';
import { decimal, toJsonNumber } from '@reseller/money';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import type { GeoScope } from '../../../geo-scope/domain/geo-scope';

/** What is to be topped up; the amount is a decimal string in the geo scope's currency. */
interface TopupTarget {
  readonly geoScopeGlobalId: string;
  readonly amount: string;
  /** E.164. */
  readonly phoneNumber: string;
}

/** Returns the geo scope when a top-up may go there; throws BUSINESS_GEO_SCOPE_UNAVAILABLE, then the other rules' codes. */
export function checkTopup(target: TopupTarget, geoScope: GeoScope | undefined): GeoScope {
  if (!geoScope?.topup) {
    throw new AppError('BUSINESS_GEO_SCOPE_UNAVAILABLE', { geoScopeGlobalId: target.geoScopeGlobalId });
  }
  const { minAmount, maxAmount } = geoScope.topup;
  const amount = decimal(target.amount);
  if (amount.lessThan(minAmount) || amount.greaterThan(maxAmount)) {
    // Partners read amounts in details as numbers (spec §1.12).
    const [least, most] = [toJsonNumber(minAmount), toJsonNumber(maxAmount)];
    const details = { minAmount: least, maxAmount: most, currency: geoScope.currency };
    throw new AppError('BUSINESS_AMOUNT_OUT_OF_RANGE', details);
  }
  if (!isNumberOf(target.phoneNumber, geoScope.country as CountryCode)) {
    throw new AppError('BUSINESS_PHONE_NOT_IN_GEO_SCOPE', { country: geoScope.country });
  }
  return geoScope;
}

// By the country's calling code and possible length, not by strict validity: partners rehearse with made-up numbers
// such as +966500000001. A calling code that countries share decides by the number where the number tells.
function isNumberOf(phoneNumber: string, country: CountryCode): boolean {
  const parsed = parsePhoneNumberFromString(phoneNumber, country);
  // A second spelling, such as one with the trunk prefix in it (+9660…), would be another recipient to limits and erasures.
  if (!parsed?.isPossible() || parsed.number !== phoneNumber) return false;
  return parsed.country === undefined
    ? parsed.getPossibleCountries().includes(country)
    : parsed.country === country;
}
