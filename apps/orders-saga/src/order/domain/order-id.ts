import type { Product } from './order';

const PREFIX: Record<Product, string> = { Topup: 'TU', Esim: 'ES', Scent: 'SC' };

// Crockford's base 32: no letter that is easily read as another.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The public name of an order, such as TU-01JD…: the product and the order's id in base 32, so it is unique too. */
export function orderGlobalId(product: Product, orderId: string): string {
  let value = BigInt(`0x${orderId.replaceAll('-', '')}`);
  let text = '';
  for (let digit = 0; digit < 26; digit += 1) {
    text = `${ALPHABET.charAt(Number(value & 31n))}${text}`;
    value >>= 5n;
  }
  return `${PREFIX[product]}-${text}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id at all; one that cannot is simply not found. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
