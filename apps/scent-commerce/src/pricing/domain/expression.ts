import { Decimal, decimal, toFixedString } from '@reseller/money';

/** The signs as partners read them: U+002B, U+2212, U+00D7 and U+00F7 (spec §17.2). */
type Sign = '+' | '−' | '×' | '÷';

/** What a figure is computed from: its value is there at once, its text is written when somebody reads it. */
export interface Term {
  readonly value: Decimal;
  /** Digits, signs and parentheses alone. */
  text(): string;
  /** Whether `value` has every digit: a division that does not end is cut off somewhere. */
  isExact(): boolean;
  /** Where parentheses are needed: 1 for sums and differences, 2 for products and quotients, 3 for a number. */
  readonly binding: 1 | 2 | 3;
}

/** A number that nothing here computed: a price, a rate, a quantity. */
class Given implements Term {
  readonly binding = 3;

  constructor(
    readonly value: Decimal,
    private readonly digits: number | undefined,
  ) {}

  text(): string {
    return this.digits === undefined ? this.value.toFixed() : toFixedString(this.value, this.digits);
  }

  isExact(): boolean {
    return true;
  }
}

class Operation implements Term {
  constructor(
    readonly value: Decimal,
    readonly binding: 1 | 2,
    private readonly left: Term,
    private readonly sign: Sign,
    private readonly right: Term,
  ) {}

  text(): string {
    const { left, sign, right, binding } = this;
    // Signs that bind alike are read from left to right.
    return `${within(left, left.binding >= binding)} ${sign} ${within(right, right.binding > binding)}`;
  }

  isExact(): boolean {
    const { left, sign, right, value } = this;
    if (!left.isExact() || !right.isExact()) return false;
    return sign !== '÷' || new Wide(value).times(right.value).equals(left.value);
  }
}

/** Wide enough for the product of any quotient and its divisor without rounding. */
const Wide = Decimal.clone({ precision: 200 });

const within = (term: Term, isFree: boolean): string => (isFree ? term.text() : `(${term.text()})`);

/** A number as it is, or with so many decimals. */
export const given = (value: string | number | Decimal, digits?: number): Term =>
  new Given(decimal(value), digits);

/** The sum of two terms. */
export const plus = (left: Term, right: Term): Term =>
  new Operation(left.value.plus(right.value), 1, left, '+', right);

/** The difference of two terms. */
export const minus = (left: Term, right: Term): Term =>
  new Operation(left.value.minus(right.value), 1, left, '−', right);

/** The product of two terms. */
export const times = (left: Term, right: Term): Term =>
  new Operation(left.value.times(right.value), 2, left, '×', right);

/** The quotient of two terms, to 40 digits where it does not end. */
export const over = (left: Term, right: Term): Term =>
  new Operation(left.value.dividedBy(right.value), 2, left, '÷', right);

/** The sum of any number of terms from left to right; 0.00 of none. */
export function sumOf(terms: readonly Term[]): Term {
  const [first, ...others] = terms;
  return first ? others.reduce(plus, first) : given(0, 2);
}
