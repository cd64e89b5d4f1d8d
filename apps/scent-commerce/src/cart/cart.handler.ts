import { CartServiceService, type QuoteLine } from '@reseller/contracts';
import { defineRpc, requirePartner, type CallContext, type RpcService } from '@reseller/rpc';
import { partnerScopeOf } from '../partner-scope';
import type { CartOwner, QuotedLine } from './cart.repository';
import { changeCart } from './change-cart';
import { CartRequestCheck, MOST_LINES } from './domain/cart-rules';
import { previewCheckout, type PreviewParts } from './preview-checkout';
import { quotePrice } from './quote-price';

/** Serves reseller.scent.v1.CartService. */
export function createCartService(parts: PreviewParts): RpcService {
  return defineRpc(CartServiceService, {
    async addCartItem(request, call) {
      const check = new CartRequestCheck();
      const owner = ownerOf(call, check.customerRef(request.customerRef));
      const variantId = check.uuid('variantId', request.variantId);
      const quantity = check.quantity('quantity', request.quantity, 1);
      check.end();
      return { cart: await changeCart(parts, owner, { action: { kind: 'add', variantId, quantity }, call }) };
    },
    async setCartItem(request, call) {
      const check = new CartRequestCheck();
      const owner = ownerOf(call, check.customerRef(request.customerRef));
      const variantId = check.uuid('id', request.variantId);
      const quantity = check.quantity('quantity', request.quantity, 0);
      check.end();
      return { cart: await changeCart(parts, owner, { action: { kind: 'set', variantId, quantity }, call }) };
    },
    async removeCartItem(request, call) {
      const check = new CartRequestCheck();
      const owner = ownerOf(call, check.customerRef(request.customerRef));
      const variantId = check.uuid('id', request.variantId);
      check.end();
      return { cart: await changeCart(parts, owner, { action: { kind: 'remove', variantId }, call }) };
    },
    async getCart(request, call) {
      const owner = checkedOwner(call, request.customerRef);
      return { cart: await changeCart(parts, owner, { action: { kind: 'read' }, call }) };
    },
    async clearCart(request, call) {
      const owner = checkedOwner(call, request.customerRef);
      return { cart: await changeCart(parts, owner, { action: { kind: 'clear' }, call }) };
    },
    async previewCheckout({ customerRef, lock, discountCode }, call) {
      return previewCheckout(parts, checkedOwner(call, customerRef), { lock, discountCode, call });
    },
    async quotePrice({ customerRef, lines, discountCode }, call) {
      const check = new CartRequestCheck();
      const owner = ownerOf(call, check.customerRef(customerRef));
      const quoted = checkQuote(check, lines);
      check.end();
      return quotePrice(parts, owner, { lines: quoted, discountCode, call });
    },
  });
}

function ownerOf(call: CallContext, customerRef: string | undefined): CartOwner {
  return { ...partnerScopeOf(call), path: requirePartner(call).path, customerRef };
}

/** Whose cart a call means; VALIDATION_FAILED for a customerRef that is none. */
export function checkedOwner(call: CallContext, customerRef: string | undefined): CartOwner {
  const check = new CartRequestCheck();
  const owner = ownerOf(call, check.customerRef(customerRef));
  check.end();
  return owner;
}

function checkQuote(check: CartRequestCheck, lines: readonly QuoteLine[]): QuotedLine[] {
  if (lines.length < 1 || lines.length > MOST_LINES)
    check.fault('lines', `must have 1 to ${MOST_LINES} items`);
  const seen = new Set<string>();
  return lines.map((line, index) => {
    const variantId = check.uuid(`lines.${index}.variantId`, line.variantId);
    if (seen.has(variantId)) check.fault(`lines.${index}.variantId`, 'is named twice');
    seen.add(variantId);
    return { variantId, quantity: check.quantity(`lines.${index}.quantity`, line.quantity, 1) };
  });
}
