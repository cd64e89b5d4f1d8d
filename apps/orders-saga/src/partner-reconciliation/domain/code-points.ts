/** Orders texts by their code points, as COLLATE "C" does in the database; JavaScript's own order is by UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a === b) continue;
    // Half a pair stands for a code point behind all of the others.
    return (isHalf(a) ? a + 0x10000 : a) - (isHalf(b) ? b + 0x10000 : b);
  }
  return one.length - other.length;
}

const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
