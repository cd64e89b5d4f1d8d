import { data } from 'currency-codes';
import { decimal, findJsonNumber, type Decimal } from './decimal';

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

const SHORT_DECIMAL = /^(\d{1,12})(?:\.(\d{1,6}))?$/;
/** Any 15 digits are a JSON number, and so is their quotient by a power of ten that a double holds. */
const SURELY_EXACT = 10n ** 15n;

/**
 * The same as a JSON number, or undefined when no JSON number carries every digit. A page of amounts has hundreds of them, so
 * that those of usual length are multiplied as whole numbers.
 */
export function findDisplayNumber(amount: string, rate: string, currency: string): number | undefined {
  const [units, per] = [SHORT_DECIMAL.exec(amount), SHORT_DECIMAL.exec(rate)];
  if (units && per) {
    const digits = minorUnitDigits(currency);
    const surplus = (units[2]?.length ?? 0) + (per[2]?.length ?? 0) - digits;
    const product = wholeOf(units) * wholeOf(per);
    const divisor = 10n ** BigInt(Math.max(surplus, 0));
    const minor = surplus > 0 ? (product * 2n + divisor) / (divisor * 2n) : product * 10n ** BigInt(-surplus);
    if (minor < SURELY_EXACT) return Number(minor) / 10 ** digits;
  }
  return findJsonNumber(convertForDisplay(amount, rate, currency));
}

const wholeOf = ([, before, after = '']: RegExpExecArray): bigint => BigInt(`${before}${after}`);
