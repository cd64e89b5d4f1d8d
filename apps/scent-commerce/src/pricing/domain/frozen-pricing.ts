import { decimal, type Decimal } from '@reseller/money';
import { priceBasis, type LineBasis, type PricedCart, type PricingBasis } from './price-cart';

/** A line as a lock or an order keeps it; decimals are texts. */
export interface FrozenLine {
  variantId: string;
  quantity: number;
  listPrice: string;
  discountShare: string;
  vatRate: string;
  commissionRate: string;
  /** Undefined in what was kept before this was. */
  isDiscounted?: boolean | undefined;
}

/** What decided about the prices of a lock or an order. */
export interface FrozenPricing {
  lines: readonly FrozenLine[];
  discount: PricingBasis['discount'];
  commissionVatRate: Decimal;
}

/**
 * The figures that were once computed, computed again. Where it was not kept for which lines the discount counted, those that have a
 * share are taken for them; shares that do not follow from that are taken as they are.
 */
export function priceFrozen({ lines, ...cart }: FrozenPricing): PricedCart {
  const basis = { ...cart, lines: lines.map(toBasis) };
  const priced = priceBasis(basis);
  const isTheSame = lines.every(({ discountShare }, index) =>
    priced.lines[index]?.discountShare.value.equals(decimal(discountShare)),
  );
  if (isTheSame) return priced;
  const withShares = basis.lines.map((line, index) => ({
    ...line,
    frozenShare: decimal(lines[index]?.discountShare ?? 0),
  }));
  return priceBasis({ ...basis, lines: withShares });
}

function toBasis({ isDiscounted, ...line }: FrozenLine): LineBasis {
  return {
    variantId: line.variantId,
    quantity: line.quantity,
    listPrice: line.listPrice,
    vatRate: decimal(line.vatRate),
    commissionRate: decimal(line.commissionRate),
    isDiscounted: isDiscounted ?? !decimal(line.discountShare).isZero(),
  };
}
