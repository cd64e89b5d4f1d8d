import bidiFactory from 'bidi-js';
import { fontFileOf, type Weight } from './fonts';

const bidi = bidiFactory();
const STRONG = /[\p{L}\p{N}]/u;

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Formatting characters that no font draws, but for the joiners, which shape letters. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;

/** A piece of a line in one font and one direction, as it stands from left to right. */
export interface Run {
  /** The font's file. */
  readonly font: string;
  /** In the order of reading; the font's shaper turns letters of a script from right to left round by itself. */
  readonly text: string;
}

/**
 * The runs of a line from left to right, by the Unicode Bidirectional Algorithm. A line's direction is that of its first strong
 * character, and the given one where it has neither letter nor digit.
 */
export function runsOf(given: string, weight: Weight, direction: 'ltr' | 'rtl'): Run[] {
  const text = given.replace(BREAKS, ' ').replace(UNSEEN, '');
  const { levels } = bidi.getEmbeddingLevels(text, STRONG.test(text) ? 'auto' : direction);
  const logical = splitByFontAndLevel(text, levels, weight);
  return reorder(logical).map(({ font, text: piece, level }) => ({
    font,
    text: level % 2 === 1 ? fromRightToLeft(piece) : piece,
  }));
}

interface LevelRun extends Run {
  readonly level: number;
}

function splitByFontAndLevel(text: string, levels: Uint8Array, weight: Weight): LevelRun[] {
  const runs: { font: string; text: string; level: number }[] = [];
  let index = 0;
  for (const character of text) {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    const font = isNeutral(character) && last ? last.font : fontFileOf(character, last?.font, weight);
    if (last && last.level === level && last.font === font) last.text += character;
    else runs.push({ font, text: character, level });
    index += character.length;
  }
  return runs;
}

/** Spaces stay with the word before them, so that a phrase is one run. */
const isNeutral = (character: string): boolean => character === ' ' || character === '\u00a0';

/** Rule L2: from the highest level down to the lowest odd one, each stretch at that level or above is turned round. */
function reorder(runs: LevelRun[]): LevelRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      if ((ordered[start]?.level ?? 0) < level) continue;
      let end = start;
      while ((ordered[end + 1]?.level ?? -1) >= level) end += 1;
      ordered.splice(start, end - start + 1, ...ordered.slice(start, end + 1).reverse());
      start = end;
    }
  }
  return ordered;
}

/** Brackets are mirrored; what has no letter that says its direction to the shaper is turned round here. */
function fromRightToLeft(text: string): string {
  const mirrored = [...text].map((character) => bidi.getMirroredCharacter(character) ?? character);
  return STRONG.test(text) ? mirrored.join('') : mirrored.reverse().join('');
}
