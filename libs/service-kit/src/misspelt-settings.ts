/** A variable that nothing reads, and the setting that it looks like. */
interface MisspeltSetting {
  readonly given: string;
  readonly meant: string;
}

const SHORTEST = 8;
const MOST_EDITS = 2;

/** Variables that are no setting and differ in one or two letters from a setting that is not given: without a word its default would hold. */
export function misspeltSettings(
  settings: readonly string[],
  env: Record<string, string | undefined>,
): MisspeltSetting[] {
  const absent = settings.filter((name) => !env[name] && name.length >= SHORTEST);
  const strangers = Object.keys(env).filter((name) => env[name] && !settings.includes(name));
  return strangers.flatMap((given) => {
    const meant = absent.find((name) => isNearly(name, given));
    return meant ? [{ given, meant }] : [];
  });
}

function isNearly(name: string, given: string): boolean {
  return Math.abs(name.length - given.length) <= MOST_EDITS && edits(name, given) <= MOST_EDITS;
}

/** How many letters have to be put in, taken out or changed to make one of the other. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
