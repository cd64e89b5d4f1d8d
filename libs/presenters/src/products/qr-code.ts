import { LRUCache } from 'lru-cache';
import { toString } from 'qrcode';

// What the largest QR code holds at the correction level used here.
const MOST_BYTES = 2_331;

// A list draws a page of them, and mostly the same ones as the page before: some 2.6 KB each.
const drawn = new LRUCache<string, string>({ max: 1_000 });

/** A text as a QR code: an SVG picture in a data URL; null for no text, or for more than a QR code can hold. */
export function presentQrCode(text: string | undefined): string | null {
  if (text === undefined || Buffer.byteLength(text) > MOST_BYTES) return null;
  const known = drawn.get(text);
  if (known !== undefined) return known;
  const image = `data:image/svg+xml;base64,${Buffer.from(draw(text)).toString('base64')}`;
  drawn.set(text, image);
  return image;
}

function draw(text: string): string {
  let svg: string | undefined;
  // Any mask can be read; trying all eight for the best-looking one takes most of the time. The callback is called
  // before toString returns.
  toString(text, { type: 'svg', errorCorrectionLevel: 'M', maskPattern: 2 }, (error, picture) => {
    if (error) throw error;
    svg = picture;
  });
  if (svg === undefined) throw new Error('the QR code was not drawn');
  return svg;
}
