import type { Checkout } from '@reseller/contracts';
import type { Owner } from '../owner';
import { explainOrder, type PriceExplanation } from '../pricing/domain/explain-price';
import { priceFrozen } from '../pricing/domain/frozen-pricing';
import { priceBasis, type PricedCart } from '../pricing/domain/price-cart';
import { commissionVatRateOf } from '../pricing/domain/terms';
import { toFrozenPricing } from './checkout.mapper';
import type { CheckoutRepository } from './checkout.repository';

/** How the figures of the owner's order came about, the same for ever; without lines where its checkout never began (spec §17.2). */
export async function explainOrderPrice(
  { checkouts }: { checkouts: CheckoutRepository },
  { partnerId, environment }: Owner,
  orderKey: string,
): Promise<PriceExplanation> {
  const found = await checkouts.find(orderKey);
  const isOwn = found?.partnerId === partnerId && found.environment === environment;
  return explainOrder(isOwn && found.checkout ? priceAgain(found.checkout) : NOTHING);
}

const NOTHING = priceBasis({ lines: [], discount: undefined, commissionVatRate: commissionVatRateOf(false) });

/** A checkout's figures from what it was priced by; fails where they are not those that were charged. */
function priceAgain(checkout: Checkout): PricedCart {
  const priced = priceFrozen(toFrozenPricing(checkout));
  for (const [index, line] of checkout.lines.entries()) {
    const { goods, goodsVat, commission, commissionVat } = priced.lines[index] ?? {};
    // Rules that have changed since must keep to the old ones for orders from before.
    const isTheSame =
      goods?.text() === line.goods &&
      goodsVat?.text() === line.goodsVat &&
      commission?.text() === line.commission &&
      commissionVat?.text() === line.commissionVat;
    if (!isTheSame)
      throw new Error(`line ${index} of ${checkout.orderKey} was charged otherwise than explained`);
  }
  return priced;
}
