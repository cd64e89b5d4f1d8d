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

// A text of JSON is passed over as a whole, so that digits in it stay as they are.
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A number of JSON in plain digits, never as 1e-7. */
function plain(number: string): string {
  const [, sign = '', head = '', tail = '', exponent = ''] =
    /^(-?)(\d)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(number) ?? [];
  if (!exponent) return number;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${head}${tail}`;
  return `${sign}${head}${tail.padEnd(shift, '0')}`;
}

function withCounts(
  value: unknown,
  wholeFields: ReadonlySet<string>,
  field: string,
  parent: string,
): unknown {
  if (typeof value === 'string')
    return wholeFields.has(field) || wholeFields.has(`${parent}.${field}`) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((item) => withCounts(item, wholeFields, field, parent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withCounts(part, wholeFields, name, field)]),
  );
}

/**
 * JSON with each decimal as text, digit by digit as it was written. `wholeFields` names the fields that hold counts, which stay
 * numbers, as `field` or as `parent.field`; none of them may hold text.
 */
export function parseWithDecimalsAsText(json: string, wholeFields: ReadonlySet<string>): unknown {
  const quoted = json.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"${plain(token)}"`,
  );
  return withCounts(JSON.parse(quoted), wholeFields, '', '');
}
