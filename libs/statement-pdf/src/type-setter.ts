import type PDFDocument from 'pdfkit';
import { LRUCache } from 'lru-cache';
import { fontAt, fontFileOf, type Weight } from './fonts';
import { runsOf } from './runs';

type Doc = InstanceType<typeof PDFDocument>;

/** What pdfkit keeps of a font in a document; its widths are thousandths of the font's size. */
interface EmbeddedFont {
  readonly id: string;
  encode(text: string, features: readonly string[]): [string[], GlyphPosition[]];
  ref(): unknown;
}

interface GlyphPosition {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly advanceWidth: number;
}

interface Glyph extends GlyphPosition {
  readonly hex: string;
}

interface SetRun {
  readonly font: EmbeddedFont;
  readonly glyphs: readonly Glyph[];
}

/** A line of text with its glyphs chosen and placed; its width in thousandths of its size. */
interface SetLine {
  readonly runs: readonly SetRun[];
  readonly width: number;
}

interface PlainFont {
  readonly font: EmbeddedFont;
  readonly glyphs: Map<string, Glyph>;
}

const PLAIN = /^[\x20-\x7e]*$/;

/** Lines whose glyphs are kept: amounts and notes come again, references do not. */
const KEPT_LINES = 2_000;

/**
 * Chooses and places the glyphs of lines of text for one document, in whatever scripts they are. It writes a page's own operators,
 * since pdfkit's text() would lay out each word anew: for a hundred thousand lines that takes a minute.
 */
export class TypeSetter {
  private readonly fonts = new Map<string, EmbeddedFont>();
  private readonly plainFonts: Partial<Record<Weight, PlainFont>> = {};
  private readonly lines = new LRUCache<string, SetLine>({ max: KEPT_LINES });

  constructor(
    private readonly doc: Doc,
    private readonly direction: 'ltr' | 'rtl',
  ) {}

  /** The line in one weight. */
  set(text: string, weight: Weight = 'regular'): SetLine {
    if (PLAIN.test(text)) return this.setPlain(text, weight);
    const key = `${weight} ${text}`;
    let line = this.lines.get(key);
    if (!line) this.lines.set(key, (line = this.setNew(text, weight)));
    return line;
  }

  /** Operators that show the line with its left end at x and its letters standing on y, counted from the page's lower edge. */
  show({ runs }: SetLine, x: number, y: number, size: number): string {
    let at = x;
    const operators: string[] = [];
    for (const { font, glyphs } of runs) {
      this.addToPage(font);
      operators.push(`/${font.id} ${size} Tf`);
      for (const { offset, first, hex } of stretchesOf(glyphs)) {
        const left = at + ((offset + first.xOffset) * size) / 1_000;
        const base = y + (first.yOffset * size) / 1_000;
        operators.push(`1 0 0 1 ${left.toFixed(2)} ${base.toFixed(2)} Tm <${hex}> Tj`);
      }
      at += (widthOf(glyphs) * size) / 1_000;
    }
    return operators.join('\n');
  }

  /** Most of a statement: each character by its own glyph, unkerned, which is fifty times as fast as shaping. */
  private setPlain(text: string, weight: Weight): SetLine {
    const { font, glyphs: known } = this.plain(weight);
    const glyphs = Array.from(text, (character) => {
      let glyph = known.get(character);
      if (!glyph) known.set(character, (glyph = glyphsOf(font, character)[0] as Glyph));
      return glyph;
    });
    return { runs: [{ font, glyphs }], width: widthOf(glyphs) };
  }

  private plain(weight: Weight): PlainFont {
    return (this.plainFonts[weight] ??= {
      font: this.embedded(fontFileOf('0', undefined, weight)),
      glyphs: new Map(),
    });
  }

  private setNew(text: string, weight: Weight): SetLine {
    const runs = runsOf(text, weight, this.direction).map(({ font: file, text: piece }) => {
      const font = this.embedded(file);
      return { font, glyphs: glyphsOf(font, piece) };
    });
    return { runs, width: runs.reduce((sum, { glyphs }) => sum + widthOf(glyphs), 0) };
  }

  private embedded(file: string): EmbeddedFont {
    let font = this.fonts.get(file);
    if (!font) {
      // pdfkit takes an opened font as well, which its types do not say; opening one anew for each document takes a tenth of a second.
      this.doc.font(fontAt(file) as unknown as string, file);
      font = (this.doc as unknown as { _font: EmbeddedFont })._font;
      this.fonts.set(file, font);
    }
    return font;
  }

  private addToPage(font: EmbeddedFont): void {
    const { fonts } = this.doc.page as unknown as { fonts: Record<string, unknown> };
    fonts[font.id] ??= font.ref();
  }
}

const widthOf = (glyphs: readonly Glyph[]): number => glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0);

function glyphsOf(font: EmbeddedFont, text: string): Glyph[] {
  const [hexes, positions] = font.encode(text, []);
  return positions.map((position, index) => ({ ...position, hex: hexes[index] ?? '0000' }));
}

/** Glyphs that stand where the one before ends, shown by one operator; a mark or a kerned letter begins a new stretch. */
function stretchesOf(glyphs: readonly Glyph[]): { offset: number; first: Glyph; hex: string }[] {
  const stretches: { offset: number; first: Glyph; hex: string }[] = [];
  let goesOn = false;
  let offset = 0;
  for (const glyph of glyphs) {
    const isPlain = glyph.xOffset === 0 && glyph.yOffset === 0;
    const last = stretches.at(-1);
    if (last && goesOn && isPlain) last.hex += glyph.hex;
    else stretches.push({ offset, first: glyph, hex: glyph.hex });
    goesOn = isPlain && glyph.xAdvance === glyph.advanceWidth;
    offset += glyph.xAdvance;
  }
  return stretches;
}
