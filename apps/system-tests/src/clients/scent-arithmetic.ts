import { halalas } from './bodies';

/** A line as it was bought; amounts in minor units. */
interface BoughtLine {
  readonly listPrice: number;
  readonly quantity: number;
  readonly isZeroRated: boolean;
  readonly discountShare?: number;
}

/** What spec §6.3 makes of a line, in minor units. */
export interface LineMoney {
  readonly goods: number;
  readonly vat: number;
  readonly commission: number;
  readonly commissionVat: number;
}

/** A share of an amount in minor units, rounded half away from zero; the rate in hundredths of a percent. */
export function shareOf(amount: number, basisPoints: number): number {
  return Math.floor((amount * basisPoints * 2 + 10_000) / 20_000);
}

const VAT = 1_500;

/** The money of a line by the specification's own words, computed in whole halalas and apart from the platform. */
export function lineMoney(
  line: BoughtLine,
  terms: { commissionBasisPoints: number; isVatRegistered: boolean },
): LineMoney {
  const goods = line.listPrice * line.quantity - (line.discountShare ?? 0);
  const commission = shareOf(goods, terms.commissionBasisPoints);
  return {
    goods,
    vat: line.isZeroRated ? 0 : shareOf(goods, VAT),
    commission,
    commissionVat: terms.isVatRegistered ? shareOf(commission, VAT) : 0,
  };
}

/** What a wallet is charged and credited for these lines, in minor units. */
export function totalsOf(lines: readonly LineMoney[]): { charged: number; credited: number } {
  const sum = (pick: (line: LineMoney) => number): number =>
    lines.reduce((total, line) => total + pick(line), 0);
  return {
    charged: sum((line) => line.goods + line.vat),
    credited: sum((line) => line.commission + line.commissionVat),
  };
}

/** An amount for people of minor units. */
export const sar = (minor: number): number => minor / 100;

/** An amount shown in another currency of two decimals; six decimals of the rate count. */
export const displayed = (amount: number, rate: number): number =>
  Number(displayMinor(halalas(amount), rate)) / 100;

function displayMinor(minor: number, rate: number): bigint {
  const millionths = BigInt(Math.round(rate * 1_000_000));
  return (BigInt(minor) * millionths * 2n + 1_000_000n) / 2_000_000n;
}
