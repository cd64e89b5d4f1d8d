import PDFDocument from 'pdfkit';
import type { Weight } from './fonts';
import { TypeSetter } from './type-setter';

/** Points of an A4 page. */
export const PAGE = { width: 595.28, height: 841.89, margin: 40 };

/** Colours by what they are for, as PDF's operators take them. */
export const INK = {
  text: '0.10 0.12 0.17',
  soft: '0.36 0.39 0.46',
  rule: '0.79 0.81 0.85',
  band: '0.945 0.953 0.965',
};

/** How a line of text stands: its size in points, and which of its ends is at x. */
interface TextStyle {
  readonly size?: number;
  readonly weight?: Weight;
  readonly ink?: string;
  readonly at?: 'start' | 'end';
  /** Set smaller where it would be too wide, and never cut: of an amount every digit counts. */
  readonly isWhole?: boolean;
}

/** What the document says of itself. */
interface SheetInfo {
  readonly title: string;
  readonly subject: string;
  readonly date: Date;
  readonly isRightToLeft: boolean;
}

/**
 * Pages of text and rules that are laid out from the side on which reading starts: x counts from there, y from the top. A page is
 * written when the next one begins, so that a document of any length takes the memory of one.
 */
export class Sheet {
  private readonly doc: InstanceType<typeof PDFDocument>;
  private readonly setter: TypeSetter;
  private readonly isRightToLeft: boolean;
  private texts: string[] = [];
  private shapes: string[] = [];

  constructor({ title, subject, date, isRightToLeft }: SheetInfo) {
    this.isRightToLeft = isRightToLeft;
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      lang: isRightToLeft ? 'ar' : 'en',
      info: {
        Title: title,
        Subject: subject,
        Producer: 'Partner Reseller',
        Creator: 'Partner Reseller',
        CreationDate: date,
        ModDate: date,
      },
    });
    this.setter = new TypeSetter(this.doc, isRightToLeft ? 'rtl' : 'ltr');
  }

  /** Begins a page; returns what the pages before have come to, if anything has. */
  nextPage(): Buffer | null {
    this.writePage();
    this.doc.addPage();
    return this.doc.read() as Buffer | null;
  }

  /** A line of text whose letters' upper edge is at y; cut with an ellipsis where it would be wider than `most` points. */
  put(text: string, x: number, y: number, style: TextStyle = {}, most = Infinity): number {
    if (text === '') return 0;
    const { size: wanted = 8, weight = 'regular', ink = INK.text, at = 'start', isWhole = false } = style;
    const line = isWhole ? this.setter.set(text, weight) : this.fit(text, weight, (most * 1_000) / wanted);
    const size = isWhole ? Math.min(wanted, (most * 1_000) / line.width) : wanted;
    const width = (line.width * size) / 1_000;
    const begin = this.isRightToLeft ? PAGE.width - x : x;
    const isLeftEnd = (at === 'start') !== this.isRightToLeft;
    const shown = this.setter.show(
      line,
      isLeftEnd ? begin : begin - width,
      PAGE.height - y - size * 0.9,
      size,
    );
    this.texts.push(`${ink} rg\n${shown}`);
    return width;
  }

  /** Texts one after the other in the direction of the page, each laid out by itself, so that those that come again cost nothing. */
  putAll(texts: readonly string[], x: number, y: number, style: TextStyle, most: number): void {
    let used = 0;
    for (const text of texts) {
      if (used >= most) return;
      used += this.put(text, x + used, y, style, most - used);
    }
  }

  /** A rule across the page. */
  rule(y: number, ink = INK.rule): void {
    const at = (PAGE.height - y).toFixed(2);
    this.shapes.push(`${ink} RG ${PAGE.margin} ${at} m ${PAGE.width - PAGE.margin} ${at} l S`);
  }

  /** A band across the page, behind the text. */
  band(y: number, height: number): void {
    const width = PAGE.width - 2 * PAGE.margin;
    this.shapes.push(
      `${INK.band} rg ${PAGE.margin} ${(PAGE.height - y - height).toFixed(2)} ${width} ${height} re f`,
    );
  }

  /** Ends the document; the rest of its bytes. */
  async *end(): AsyncGenerator<Buffer> {
    this.writePage();
    this.doc.end();
    for await (const rest of this.doc) yield rest as Buffer;
  }

  private fit(text: string, weight: Weight, most: number) {
    const line = this.setter.set(text, weight);
    if (line.width <= most) return line;
    const characters = [...text];
    let fits = 0;
    for (let step = characters.length; step >= 1; step = Math.floor(step / 2)) {
      while (fits + step < characters.length) {
        const cut = `${characters.slice(0, fits + step).join('')}…`;
        if (this.setter.set(cut, weight).width > most) break;
        fits += step;
      }
    }
    return this.setter.set(`${characters.slice(0, fits).join('')}…`, weight);
  }

  private writePage(): void {
    if (this.texts.length + this.shapes.length === 0) return;
    // Letters would stand on their heads in pdfkit's coordinates, which run from the top.
    const flip = `q 1 0 0 -1 0 ${PAGE.height} cm`;
    this.doc.addContent(`${flip}\n0.5 w\n${this.shapes.join('\n')}\nBT\n${this.texts.join('\n')}\nET Q`);
    this.texts = [];
    this.shapes = [];
  }
}
