import DecimalJs from 'decimal.js';

/** Exact decimals: 40 significant digits, rounding half away from zero (spec §3.2). */
export const Decimal = DecimalJs.clone({ precision: 40, rounding: DecimalJs.ROUND_HALF_UP });
export type Decimal = DecimalJs;

const PLAIN_DECIMAL = /^[+-]?\d+(\.\d+)?$/;

/** Reads a plain decimal; throws RangeError for text that is none, and for NaN or infinities. */
export function decimal(value: string | number | Decimal): Decimal {
  if (typeof value === 'string' && !PLAIN_DECIMAL.test(value)) {
    throw new RangeError(`"${value.slice(0, 60)}" is not a decimal number; expected digits such as -12.50`);
  }
  // Nothing changes a decimal, so that one of ours needs no copy; one of another precision, such as Prisma's, does.
  const result = value instanceof DecimalJs && value.constructor === Decimal ? value : new Decimal(value);
  if (!result.isFinite()) throw new RangeError(`${String(value)} is not a finite number`);
  return result;
}

/** The amount as plain text with exactly so many decimals, rounded half away from zero; never in exponent form, never "-0". */
export function toFixedString(amount: string | Decimal, digits: number): string {
  const exact = decimal(amount);
  // By itself toFixed leaves the sign on what it rounds to zero.
  return (exact.isNegative() ? exact.toDecimalPlaces(digits) : exact).toFixed(digits);
}

// A double carries any 15 significant digits, so that many characters need no proof; nearly every amount is that short.
const SURELY_EXACT_LENGTH = 15;

/** The JSON number of an amount, exact to every digit shown; throws RangeError when no JSON number is. */
export function toJsonNumber(value: string | Decimal): number {
  const result = findJsonNumber(value);
  if (result === undefined)
    throw new RangeError(`${decimal(value).toFixed()} has more digits than a JSON number can carry`);
  return result;
}

/** The same, or undefined when no JSON number carries every digit. */
export function findJsonNumber(value: string | Decimal): number | undefined {
  if (typeof value === 'string' && value.length <= SURELY_EXACT_LENGTH && PLAIN_DECIMAL.test(value)) {
    // `-0` is no amount that anybody should see.
    return Number(value) || 0;
  }
  const exact = decimal(value);
  const result = exact.isZero() ? 0 : exact.toNumber();
  return new Decimal(result).equals(exact) ? result : undefined;
}

// Newer than the types of the language's library.
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * A decimal of any length for JSON.stringify, which shows every digit of it. Where a double cannot carry them it is a number to
 * JSON.stringify alone: nothing may be computed with it.
 */
export function toExactJsonNumber(value: string | Decimal): number {
  return findJsonNumber(value) ?? (rawJSON(decimal(value).toFixed()) as number);
}

/** Whether JSON.stringify makes a number of it: of a number, or of what toExactJsonNumber returns. */
export function isExactJsonNumber(value: unknown): value is number {
  return typeof value === 'number' || isRawJSON(value);
}
