import { data } from 'currency-codes';
import { decimal, type Decimal } from './decimal';

// One look-up table instead of the package's scan through a list for each call.
const digitsByCode = new Map(data.map(({ code, digits }) => [code, digits]));

/** Whether the text is a currency code of ISO 4217, upper case. */
export function isCurrencyCode(code: string): boolean {
  return digitsByCode.has(code);
}

/** How many decimals the currency's minor unit has (SAR 2, KWD 3, JPY 0); throws RangeError for an unknown currency. */
export function minorUnitDigits(currency: string): number {
  const digits = digitsByCode.get(currency);
  if (digits === undefined)
    throw new RangeError(`"${currency.slice(0, 20)}" is not a currency code of ISO 4217`);
  return digits;
}

/** The amount rounded to the currency's minor unit, half away from zero (spec §3.2). */
export function roundToMinorUnit(amount: string | Decimal, currency: string): Decimal {
  const rounded = decimal(amount).toDecimalPlaces(minorUnitDigits(currency));
  return rounded.isZero() ? rounded.abs() : rounded;
}

/** A Display sibling: amount × rate, rounded to the display currency's minor unit (spec §3.3). */
export function convertForDisplay(
  amount: string | Decimal,
  rate: string | Decimal,
  currency: string,
): Decimal {
  return roundToMinorUnit(decimal(amount).times(decimal(rate)), currency);
}

/** The VAT on one line's goods at a rate given as a fraction (0.15), rounded to the currency's minor unit. */
export function vatOf(goods: string | Decimal, rate: string | Decimal, currency: string): Decimal {
  return roundToMinorUnit(decimal(goods).times(decimal(rate)), currency);
}
