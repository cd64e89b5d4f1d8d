import { create, type Font } from 'fontkit';
import { readFileSync } from 'node:fs';
import { FACES_BY_SCRIPT, LATIN, SYMBOLS, type Face } from './faces';

/** Which of a face's two weights. */
export type Weight = keyof Face;

const INHERITS = /^[\p{M}\p{Cf}]$/u;
const LAST_OF_LATIN = '\u052f';
const opened = new Map<string, Font>();

/** The font in a file, opened when it is first needed and kept. */
export function fontAt(file: string): Font {
  let font = opened.get(file);
  if (!font) opened.set(file, (font = create(readFileSync(file)) as Font));
  return font;
}

/** The file of the font that has this character; a mark belongs to the letter before it, whose font is given. */
export function fontFileOf(character: string, before: string | undefined, weight: Weight): string {
  if (before !== undefined && INHERITS.test(character)) return before;
  const latin = LATIN[weight]();
  if (character <= LAST_OF_LATIN) return latin;
  const ofScript = FACES_BY_SCRIPT.find(([script]) => script.test(character))?.[1];
  const codePoint = character.codePointAt(0) ?? 0;
  const faces = [...(ofScript ? [ofScript] : []), LATIN, ...SYMBOLS];
  const files = faces.map((face) => face[weight]());
  return files.find((file) => fontAt(file).hasGlyphForCodePoint(codePoint)) ?? latin;
}
