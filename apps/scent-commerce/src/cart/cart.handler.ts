import { CartServiceService, type DisplayRate, type QuoteLine } from '@reseller/contracts';
import type { KeyedCalls } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { RequestCheck, sandboxScopeOf, type CallContext, type RpcHandlers } from '@reseller/rpc';
import { cartOwnerOf, readCartOwner } from './cart-owner';
import { toCartMessage, toPreviewResponse, toQuoteResponse } from './cart.mapper';
import type { CartChange, CartRepository, QuotedLine } from './cart.repository';
import { changeCart, type ChangeCartDeps } from './change-cart';
import { checkQuantity, MOST_LINES } from './domain/cart-rules';
import { previewCheckout, type PreviewDeps } from './preview-checkout';
import { quotePrice } from './quote-price';

/** Serves reseller.scent.v1.CartService. */
export function createCartHandlers(
  deps: PreviewDeps & { keyed: KeyedCalls<CartRepository> },
): RpcHandlers<typeof CartServiceService> {
  return {
    async addCartItem(request, call) {
      const check = new RequestCheck();
      const owner = readCartOwner(check, call, request.customerRef);
      const variantId = check.uuid('variantId', request.variantId);
      const quantity = checkQuantity(check, { path: 'quantity', value: request.quantity, least: 1 });
      check.end();
      const change: CartChange = { kind: 'add', variantId, quantity };
      const add = async (own: ChangeCartDeps) => ({
        cart: toCartMessage(owner, await changeCart(own, owner, { change, call })),
      });
      if (!call.idempotency) return add(deps);
      return deps.keyed.run(
        call,
        CartServiceService.addCartItem,
        (carts, rate: DisplayRate | undefined) => add({ ...deps, carts, rates: { find: async () => rate } }),
        // Nobody waits for finance with the cart's lock and a connection in hand.
        async () => deps.rates.find((await deps.carts.read(owner, call)).partner.displayCurrency, call),
      );
    },
    async setCartItem(request, call) {
      const check = new RequestCheck();
      const owner = readCartOwner(check, call, request.customerRef);
      const variantId = check.uuid('id', request.variantId);
      const quantity = checkQuantity(check, { path: 'quantity', value: request.quantity, least: 0 });
      check.end();
      const change: CartChange = { kind: 'set', variantId, quantity };
      return { cart: toCartMessage(owner, await changeCart(deps, owner, { change, call })) };
    },
    async removeCartItem(request, call) {
      const check = new RequestCheck();
      const owner = readCartOwner(check, call, request.customerRef);
      const change: CartChange = { kind: 'remove', variantId: check.uuid('id', request.variantId) };
      check.end();
      return { cart: toCartMessage(owner, await changeCart(deps, owner, { change, call })) };
    },
    async getCart({ customerRef }, call) {
      const owner = cartOwnerOf(call, customerRef);
      return {
        cart: toCartMessage(owner, await changeCart(deps, owner, { change: { kind: 'read' }, call })),
      };
    },
    async clearCart({ customerRef }, call) {
      const owner = cartOwnerOf(call, customerRef);
      return {
        cart: toCartMessage(owner, await changeCart(deps, owner, { change: { kind: 'clear' }, call })),
      };
    },
    async previewCheckout({ customerRef, lock, discountCode, explain }, call) {
      const owner = cartOwnerOf(call, customerRef);
      const preview = await previewCheckout(deps, owner, { lock, discountCode, call });
      return toPreviewResponse(owner, preview, explain);
    },
    async expireSandboxPriceLock(request, call) {
      const owner = sandboxScopeOf(call);
      const check = new RequestCheck();
      const lockId = check.uuid('lockId', request.lockId);
      check.end();
      const lock = await deps.locks.expire(owner, lockId);
      if (!lock) throw new AppError('NOT_FOUND_PRICE_LOCK');
      return { lockId: lock.id, lockExpiresAt: lock.expiresAt };
    },
    async quotePrice({ customerRef, lines, discountCode, explain }, call) {
      const { owner, lines: quoted } = readQuote(call, { customerRef, lines });
      const quote = await quotePrice(deps, owner, { lines: quoted, discountCode, call });
      return toQuoteResponse(quote, explain);
    },
  };
}

function readQuote(
  call: CallContext,
  { customerRef, lines }: { customerRef: string | undefined; lines: readonly QuoteLine[] },
) {
  const check = new RequestCheck();
  const owner = readCartOwner(check, call, customerRef);
  if (lines.length < 1 || lines.length > MOST_LINES)
    check.fault('lines', `must have 1 to ${MOST_LINES} items`);
  const seen = new Set<string>();
  const quoted: QuotedLine[] = lines.map((line, index) => {
    const variantId = check.uuid(`lines.${index}.variantId`, line.variantId);
    if (seen.has(variantId)) check.fault(`lines.${index}.variantId`, 'is named twice');
    seen.add(variantId);
    const path = `lines.${index}.quantity`;
    return { variantId, quantity: checkQuantity(check, { path, value: line.quantity, least: 1 }) };
  });
  check.end();
  return { owner, lines: quoted };
}
