import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fontAt, fontFileOf } from './fonts';
import { runsOf } from './runs';

const texts = (text: string, direction: 'ltr' | 'rtl' = 'ltr'): string[] =>
  runsOf(text, 'regular', direction).map((run) => run.text);

const isDrawn = (character: string): boolean =>
  fontAt(fontFileOf(character, undefined, 'regular')).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

describe('the runs of a line', () => {
  it('when English stands in an Arabic sentence, then the sentence runs from right to left around it', () => {
    expect(texts('دفعة من Bank Al-Bilad اليوم')).toEqual(['اليوم', ' ', 'Bank Al-Bilad', 'دفعة من ']);
  });

  it('when figures stand in an Arabic sentence, then they keep their order', () => {
    const [number] = texts('فاتورة 1,234.50').filter((text) => /\d/.test(text));
    expect(number).toContain('1,234.50');
  });

  it('when brackets stand in a text from right to left, then they are mirrored', () => {
    expect(texts('(سلام)').join('')).toBe('(سلام)');
  });

  it('when a line has neither letter nor digit, then the direction of the page holds', () => {
    expect(texts('، ', 'rtl')).toEqual([' ،']);
  });

  it('when a line has line breaks and directional marks, then no box is drawn for them', () => {
    expect(texts('one\ntwo \u202bthree').join('')).toBe('one two three');
  });

  it('when any text is laid out, then each of its characters is in one run, and no other', () => {
    const sorted = (text: string): string => [...text].sort().join('');
    const letters = fc.string({ unit: fc.constantFrom(...'aZ19 .,-سلامשק你한') });
    fc.assert(fc.property(letters, (text) => expect(sorted(texts(text).join(''))).toBe(sorted(text))));
  });
});

describe('the fonts of a statement', () => {
  it('when a script is one of a living language, then its letters are drawn', () => {
    const samples =
      'Überweisung Łódź Ελλάδα Москва مؤسسة پاکستان שלום भुगतान শুভ ਸਤਿ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ไทย ລາວ ខ្មែរ မြန်မာ ქართული Հայերեն አማርኛ 中文 ひらがな カタカナ 한국어 ދިވެހި € → ∑ ☎ 😀';
    expect([...samples].filter((character) => !isDrawn(character))).toEqual([]);
  });

  it('when Arabic letters meet, then they are joined', () => {
    const font = fontAt(fontFileOf('س', undefined, 'regular'));
    const alone = font.glyphForCodePoint('س'.codePointAt(0) ?? 0).id;
    const joined = font.layout('سس').glyphs.map(({ id }) => id);
    expect(joined).not.toContain(alone);
  });
});
