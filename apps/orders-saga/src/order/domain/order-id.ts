// Crockford's base 32: no letter that is easily read as another.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The public name of an order, such as TU-01JD…: its product's prefix and its id in base 32, so it is unique too. */
export function orderGlobalId(prefix: string, orderId: string): string {
  let value = BigInt(`0x${orderId.replaceAll('-', '')}`);
  let text = '';
  for (let digit = 0; digit < 26; digit += 1) {
    text = `${ALPHABET.charAt(Number(value & 31n))}${text}`;
    value >>= 5n;
  }
  return `${prefix}-${text}`;
}

/** The order's id that a global id holds, whatever its prefix; undefined when the text is no global id. */
export function orderIdOf(globalId: string): string | undefined {
  const [, digits = ''] = /^[A-Z]{2}-([0-9A-HJKMNP-TV-Z]{26})$/.exec(globalId) ?? [];
  if (digits === '') return undefined;
  let value = 0n;
  for (const digit of digits) value = value * 32n + BigInt(ALPHABET.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  if (hex.length > 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
