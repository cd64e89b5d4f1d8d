import type { QuotePriceResponse } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { BASE_CURRENCY } from '../pricing/domain/terms';
import { applicableDiscount, findDiscountState } from './applicable-discount';
import { toDiscountMessage, toLineMessages, toTotalsMessage } from './cart-message';
import type { CartOwner, QuotedLine } from './cart.repository';
import { priceForDisplay } from './price-shop-lines';
import type { PreviewParts } from './preview-checkout';

/** Prices lines that are in no cart; an inactive variant is as good as unknown (spec §5.1). */
export async function quotePrice(
  parts: PreviewParts,
  owner: CartOwner,
  { lines, discountCode, call }: { lines: QuotedLine[]; discountCode: string | undefined; call: CallContext },
): Promise<QuotePriceResponse> {
  const [quote, state] = await Promise.all([
    parts.carts.quote(owner, lines),
    findDiscountState(parts.codes, owner, discountCode),
  ]);
  if (quote.lines.length < lines.length || quote.lines.some(({ isActive }) => !isActive)) {
    throw new AppError('NOT_FOUND_VARIANT');
  }
  const discount = applicableDiscount(state, {
    code: discountCode,
    customerRef: owner.customerRef,
    lines: quote.lines,
  });
  const { priced, displayRate } = await priceForDisplay(parts, quote, { call, discount });
  return {
    items: toLineMessages(quote, priced),
    pricedAt: quote.pricedAt,
    totals: toTotalsMessage(priced),
    currency: BASE_CURRENCY,
    displayRate,
    discount: toDiscountMessage(priced.discount),
  };
}
