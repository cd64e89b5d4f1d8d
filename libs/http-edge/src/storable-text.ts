import type { FieldFault } from '@reseller/errors';

const isUnstorable = (text: string): boolean => text.includes('\u0000') || /\p{Surrogate}/u.test(text);

/** A fault for every string within a value that holds a NUL or half a surrogate pair, which no database can keep. */
export function findUnstorableText(root: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  // A list instead of recursion: a body may be nested deeper than calls can be.
  const open: { path: string; value: unknown }[] = [{ path: '', value: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && isUnstorable(value)) {
      faults.push({ path, message: 'must not hold NUL characters or lone surrogates' });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      open.push({ path: path === '' ? key : `${path}.${key}`, value: child });
    }
  }
  return faults;
}
