/** How decimals (amounts, rates, percentages) reach the caller: as numbers, or as text for a decimal library. */
export type DecimalForm = 'number' | 'string';

declare const decimal: unique symbol;

/** A decimal in the generated types; a caller sees a number or text in its place. */
export interface Decimal {
  readonly [decimal]: never;
}

/** `T` with `Value` in place of each decimal. */
export type WithDecimals<T, Value> = T extends Decimal
  ? Value
  : T extends readonly (infer Item)[]
    ? WithDecimals<Item, Value>[]
    : T extends object
      ? { [Key in keyof T]: WithDecimals<T[Key], Value> }
      : T;

// What a double holds without loss, and more than the API ever sends or takes.
const MOST_DIGITS = 15;
const PLAIN = /^-?(\d+)(?:\.(\d+))?$/;

/** The number to send for a decimal given as text; a TypeError where JSON's numbers could not carry each digit. */
export function numberOf(name: string, text: string): number {
  const [, whole = '', fraction = ''] = PLAIN.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (!whole || digits.length > MOST_DIGITS)
    throw new TypeError(
      `${name} must be a decimal of at most ${MOST_DIGITS} digits, such as "25.50"; it was "${text}"`,
    );
  return Number(text);
}

/** A number in plain digits, never as 1e-7. */
function textOf(value: number): string {
  const text = String(value);
  const [, sign = '', head = '', tail = '', exponent = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (!exponent) return text;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${head}${tail}`;
  return `${sign}${head}${tail.padEnd(shift, '0')}`;
}

/**
 * A response with each decimal as text. `wholeFields` names the fields that hold counts, which stay numbers, as `field` or
 * as `parent.field`.
 */
export function decimalsAsText(
  value: unknown,
  wholeFields: ReadonlySet<string>,
  field = '',
  parent = '',
): unknown {
  if (typeof value === 'number')
    return wholeFields.has(field) || wholeFields.has(`${parent}.${field}`) ? value : textOf(value);
  if (Array.isArray(value)) return value.map((item) => decimalsAsText(item, wholeFields, field, parent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, decimalsAsText(part, wholeFields, name, field)]),
  );
}
