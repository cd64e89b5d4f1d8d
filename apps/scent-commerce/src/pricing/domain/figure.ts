import { roundToMinorUnit, toFixedString, type Decimal } from '@reseller/money';
import type { Term } from './expression';
import { BASE_CURRENCY } from './terms';

const SAR_DIGITS = 2;
const UNIT_DIGITS = 4;
/** At least so many decimals are shown of a quotient that does not end (spec §17.2), and never more than these. */
const CUT_DIGITS = 12;
const MOST_DIGITS = 30;

/**
 * An amount in SAR: an expression, rounded once. Whatever is computed from it goes on with the rounded value, so that each step can
 * be followed by who reads only its numbers.
 */
export class Figure implements Term {
  readonly binding = 3;

  constructor(
    /** What was rounded. */
    readonly expression: Term,
    readonly value: Decimal,
    private readonly digits: number,
  ) {}

  /** The rounded value. */
  text(): string {
    return toFixedString(this.value, this.digits);
  }

  isExact(): boolean {
    return true;
  }

  /** The expression's value before rounding: every digit, or, of a quotient that does not end, twelve decimals or some more. */
  unrounded(): string {
    const { value } = this.expression;
    if (this.expression.isExact()) return toFixedString(value, Math.max(this.digits, value.decimalPlaces()));
    let digits = CUT_DIGITS;
    while (digits < MOST_DIGITS && !this.isShownBy(value.toDecimalPlaces(digits), digits)) digits += 1;
    return toFixedString(value, digits);
  }

  /** Whether a cut quotient has so many decimals as a number too, and rounds to the figure as the whole one does. */
  private isShownBy(cut: Decimal, digits: number): boolean {
    return cut.decimalPlaces() === digits && cut.toDecimalPlaces(this.digits).equals(this.value);
  }
}

/** An amount rounded to halalas, half away from zero (spec §3.2). */
export const sar = (expression: Term): Figure =>
  new Figure(expression, roundToMinorUnit(expression.value, BASE_CURRENCY), SAR_DIGITS);

/** The same of what is whole halalas by itself, as sums, differences and multiples of amounts are: there is nothing to round. */
export const wholeSar = (expression: Term): Figure => new Figure(expression, expression.value, SAR_DIGITS);

/** An amount for one unit, with four decimals (spec §7.4). */
export const perUnit = (expression: Term): Figure =>
  new Figure(expression, expression.value.toDecimalPlaces(UNIT_DIGITS), UNIT_DIGITS);
