import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { applicableDiscount } from '../discount/domain/applicable-discount';
import type { CartOwner } from './cart-owner';
import type { QuotedLine } from './cart.repository';
import type { Priced, UnpricedLines } from './domain/cart-line';
import { priceLines } from './domain/price-lines';
import type { PreviewDeps } from './preview-checkout';

/** Prices lines that are in no cart; an inactive variant is as good as unknown (spec §5.1). */
export async function quotePrice(
  deps: PreviewDeps,
  owner: CartOwner,
  { lines, discountCode, call }: { lines: QuotedLine[]; discountCode: string | undefined; call: CallContext },
): Promise<Priced<UnpricedLines>> {
  const { customerRef } = owner;
  const [quote, state] = await Promise.all([
    deps.carts.quote(owner, lines),
    deps.codes.findState(owner, { code: discountCode, customerRef }),
  ]);
  if (quote.lines.length < lines.length || quote.lines.some(({ isActive }) => !isActive)) {
    throw new AppError('NOT_FOUND_VARIANT');
  }
  const discount = applicableDiscount(state, { code: discountCode, customerRef, lines: quote.lines });
  const priced = priceLines(quote, deps.defaultCommissionRate, discount);
  const displayRate = await deps.rates.find(quote.partner.displayCurrency, call);
  return { lines: quote, priced, displayRate };
}
