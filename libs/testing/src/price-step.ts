// Reckoned with whole numbers alone, apart from the decimals that the platform computes with.

/** A step of a price explanation, as text. */
export interface StepText {
  readonly name: string;
  readonly expression: string;
  readonly result: string;
  readonly unroundedResult: string;
}

interface Fraction {
  readonly top: bigint;
  /** More than zero. */
  readonly bottom: bigint;
}

const NUMBER = /^\d+(\.\d+)?$/;
const TOKEN = /\d+(?:\.\d+)?|[()+\u2212\u00d7\u00f7]/g;

/** What of a step does not hold (spec §17.2), or undefined. */
export function findStepFault({ name, expression, result, unroundedResult }: StepText): string | undefined {
  const value = evaluate(expression);
  const unrounded = fractionOf(unroundedResult);
  const decimals = unroundedResult.split('.')[1]?.length ?? 0;
  const isExact = value.top * unrounded.bottom === unrounded.top * value.bottom;
  if (
    !isExact &&
    (hasEnd(value) || decimals < 12 || roundTo(value, decimals) !== roundTo(unrounded, decimals))
  )
    return `${name}: ${expression} is not ${unroundedResult}`;
  const digits = name === 'unitAmount' ? 4 : 2;
  const rounded = fractionOf(result);
  for (const one of [value, unrounded])
    if (roundTo(one, digits) * rounded.bottom !== rounded.top * 10n ** BigInt(digits))
      return `${name}: ${unroundedResult} is not rounded to ${result}`;
  return undefined;
}

// Decimal numbers, + − × ÷ and parentheses; anything else throws.
function evaluate(expression: string): Fraction {
  const tokens = expression.match(TOKEN) ?? [];
  if (tokens.join('') !== expression.replaceAll(' ', '')) throw new Error(`no arithmetic: ${expression}`);
  let at = 0;
  const takes = (...signs: string[]): string | undefined =>
    signs.includes(tokens[at] ?? '') ? tokens[at++] : undefined;
  const sum = (): Fraction => {
    let left = product();
    for (let sign = takes('+', '−'); sign; sign = takes('+', '−')) {
      const { top, bottom } = product();
      const added = sign === '+' ? top : -top;
      left = { top: left.top * bottom + added * left.bottom, bottom: left.bottom * bottom };
    }
    return left;
  };
  const product = (): Fraction => {
    let left = atom();
    for (let sign = takes('×', '÷'); sign; sign = takes('×', '÷')) {
      const { top, bottom } = atom();
      if (sign === '÷' && top <= 0n) throw new Error(`a division by nothing: ${expression}`);
      const [by, under] = sign === '×' ? [top, bottom] : [bottom, top];
      left = { top: left.top * by, bottom: left.bottom * under };
    }
    return left;
  };
  const atom = (): Fraction => {
    if (!takes('(')) return fractionOf(tokens[at++] ?? 'nothing');
    const inner = sum();
    if (!takes(')')) throw new Error(`an open parenthesis: ${expression}`);
    return inner;
  };
  const value = sum();
  if (at < tokens.length) throw new Error(`no arithmetic: ${expression}`);
  return value;
}

function fractionOf(text: string): Fraction {
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  if (!NUMBER.test(digits)) throw new Error(`no decimal number: ${text}`);
  const [whole = '', decimals = ''] = digits.split('.');
  const top = BigInt(whole + decimals);
  return { top: isNegative ? -top : top, bottom: 10n ** BigInt(decimals.length) };
}

/** In units of the last decimal, half away from zero. */
function roundTo({ top, bottom }: Fraction, decimals: number): bigint {
  const twice = (top < 0n ? -top : top) * 2n * 10n ** BigInt(decimals);
  const units = (twice + bottom) / (2n * bottom);
  return top < 0n ? -units : units;
}

/** Whether its decimals end: what is under it has no factors but two and five. */
function hasEnd({ top, bottom }: Fraction): boolean {
  let rest = bottom / gcd(top < 0n ? -top : top, bottom);
  for (const factor of [2n, 5n]) while (rest % factor === 0n) rest /= factor;
  return rest === 1n;
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
