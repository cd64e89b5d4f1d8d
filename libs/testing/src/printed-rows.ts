import { inflateSync } from 'node:zlib';

/**
 * The rows of each page of a PDF from top to bottom, each text with its left end in points: `40 Partner | 190 Acme`. It reads what
 * pdfkit and our type setter write: a line of text is shown by one operator, and each font says what its glyphs mean.
 */
export function printedRows(pdf: Buffer): string[][] {
  const objects = objectsOf(pdf.toString('latin1'));
  const at = (number: string | undefined): string => objects.get(number ?? '') ?? '';
  const pages = [...objects.values()].filter((object) => /\/Type \/Page\b(?!s)/.test(object));
  return pages.map((page) => {
    const fonts = at(/\/Resources (\d+) 0 R/.exec(page)?.[1]).matchAll(/\/(F\d+) (\d+) 0 R/g);
    const letters = new Map(
      [...fonts].map(([, name, font]) => [name, lettersOf(at(/\/ToUnicode (\d+) 0 R/.exec(at(font))?.[1]))]),
    );
    const rows = new Map<number, [left: number, text: string][]>();
    let font: readonly string[] = [];
    for (const [, name, left, base, hex = ''] of at(/\/Contents (\d+) 0 R/.exec(page)?.[1]).matchAll(
      /\/(F\d+) [\d.]+ Tf|1 0 0 1 ([\d.-]+) ([\d.-]+) Tm <([\da-f]+)> Tj/g,
    )) {
      if (name) font = letters.get(name) ?? [];
      else {
        const text = (hex.match(/.{4}/g) ?? []).map((glyph) => font[parseInt(glyph, 16)]).join('');
        const row = rows.get(Number(base)) ?? [];
        rows.set(Number(base), [...row, [Math.round(Number(left)), text]]);
      }
    }
    const fromTheTop = [...rows].sort(([one], [other]) => other - one);
    return fromTheTop.map(([, texts]) =>
      texts
        .sort(([one], [other]) => one - other)
        .map(([left, text]) => `${left} ${text}`)
        .join(' | '),
    );
  });
}

/** The objects of the file by their numbers, streams as the text that they hold. */
function objectsOf(pdf: string): Map<string, string> {
  const found = pdf.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm);
  return new Map([...found].map(([, number = '', object = '']) => [number, withText(object)]));
}

function withText(object: string): string {
  const [head, bytes] = object.split(/stream\n|\nendstream/);
  const isText = bytes !== undefined && head?.includes('/FlateDecode');
  return isText ? inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1') : object;
}

/** The letters of each glyph, from the table that the font embeds for whoever copies text. */
const lettersOf = (table: string): string[] =>
  [...table.matchAll(/\[((?:<[\da-f ]+> ?)+)\]/g)].flatMap(([, range = '']) =>
    [...range.matchAll(/<([\da-f ]+)>/g)].map(([, units = '']) =>
      Buffer.from(units.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  );
