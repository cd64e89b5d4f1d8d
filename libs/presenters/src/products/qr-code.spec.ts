import { describe, expect, it } from '@jest/globals';
import { create } from 'qrcode';
import { presentQrCode } from './qr-code';

const text = 'LPA:1$smdp.vendor-simulator.test$ABCD-EF01-2345-6789';

/** Which modules of a drawing are dark, row by row, read from the strokes of its path. */
function modulesOf(dataUrl: string, size: number, margin: number): boolean[] {
  const svg = Buffer.from(dataUrl.replace(/^.*base64,/, ''), 'base64').toString();
  const strokes = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const dark = Array.from({ length: size * size }, () => false);
  let [x, y] = [0, 0];
  for (const [, command, first, second] of strokes.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
    else if (command === 'm') x += Number(first);
    else for (const end = x + Number(first); x < end; x += 1) dark[(y - margin) * size + x - margin] = true;
  }
  return dark;
}

describe('presentQrCode', () => {
  it('when a text is drawn, then the picture shows exactly the modules of its QR code', () => {
    const { modules } = create(text, { errorCorrectionLevel: 'M', maskPattern: 2 });
    const url = presentQrCode(text);
    expect(url).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(modulesOf(url!, modules.size, 4)).toEqual([...modules.data].map(Boolean));
    expect(url!.length).toBeLessThan(4_000);
  });

  it('when there is no text, or more than a QR code holds, then there is no picture', () => {
    expect(presentQrCode(undefined)).toBeNull();
    expect(presentQrCode('x'.repeat(2_331))).not.toBeNull();
    expect(presentQrCode('x'.repeat(2_332))).toBeNull();
  });
});
