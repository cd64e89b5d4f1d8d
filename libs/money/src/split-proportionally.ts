import { minorUnitDigits } from './currency';
import { Decimal, decimal } from './decimal';

/**
 * Splits a total over weights in whole minor units by the largest remainder (ties go to the earlier), so that the
 * parts add up to the total exactly; throws RangeError for a total finer than the minor unit, a negative weight, or
 * a total other than zero with nothing to split it over.
 */
export function splitProportionally(
  total: string | Decimal,
  weights: readonly (string | number | Decimal)[],
  currency: string,
): Decimal[] {
  const digits = minorUnitDigits(currency);
  const exact = decimal(total);
  if (exact.decimalPlaces() > digits) {
    throw new RangeError(`${exact.toFixed()} is finer than the minor unit of ${currency}; round it first`);
  }
  const shares = toIntegers(weights.map(decimal));
  const sum = shares.reduce((a, b) => a + b, 0n);
  if (sum === 0n) {
    if (!exact.isZero()) throw new RangeError('there is no weight above zero to split the total over');
    return weights.map(() => new Decimal(0));
  }
  const units = toInteger(exact.abs(), digits);
  const parts = largestRemainder(units, shares, sum);
  return parts.map((part) => toDecimal(exact.isNegative() ? -part : part, digits));
}

function largestRemainder(units: bigint, shares: bigint[], sum: bigint): bigint[] {
  const floors = shares.map((share) => (units * share) / sum);
  const left = Number(units - floors.reduce((a, b) => a + b, 0n));
  const takers = shares
    .map((share, index) => ({ index, remainder: (units * share) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
    .slice(0, left);
  for (const { index } of takers) floors[index] = (floors[index] ?? 0n) + 1n;
  return floors;
}

function toIntegers(weights: Decimal[]): bigint[] {
  if (weights.some((weight) => weight.isNegative() && !weight.isZero())) {
    throw new RangeError('a weight is negative; weights must be zero or more');
  }
  const digits = Math.max(0, ...weights.map((weight) => weight.decimalPlaces()));
  return weights.map((weight) => toInteger(weight, digits));
}

// Through text, since arithmetic would round past 40 digits.
function toInteger(value: Decimal, digits: number): bigint {
  return BigInt(value.toFixed(digits).replace('.', ''));
}

function toDecimal(units: bigint, digits: number): Decimal {
  return new Decimal(units.toString()).times(new Decimal(10).pow(-digits));
}
