import { toString } from 'qrcode';

// What the largest QR code holds at the correction level used here.
const MOST_BYTES = 2_331;

/** A text as a QR code: an SVG picture in a data URL; null for no text, or for more than a QR code can hold. */
export function presentQrCode(text: string | undefined): string | null {
  if (text === undefined || Buffer.byteLength(text) > MOST_BYTES) return null;
  let svg: string | undefined;
  // Any mask can be read; trying all eight for the best-looking one takes most of the time. The callback is called
  // before toString returns.
  toString(text, { type: 'svg', errorCorrectionLevel: 'M', maskPattern: 2 }, (error, drawn) => {
    if (error) throw error;
    svg = drawn;
  });
  if (svg === undefined) throw new Error('the QR code was not drawn');
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
