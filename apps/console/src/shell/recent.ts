/** A thing that was opened, under the name that its page has for it. */
export interface Recent {
  readonly kind: 'order' | 'partner';
  readonly id: string;
  readonly label: string;
}

const KEPT_AS = 'console.recent';
const MOST = 8;

/** What was opened last, newest first. */
export function readRecent(): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]) : [];
  } catch {
    return [];
  }
}

/** Puts a thing first; only while this tab lives, since a reference may name a person. */
export function rememberRecent(thing: Recent): void {
  const others = readRecent().filter(({ kind, id }) => kind !== thing.kind || id !== thing.id);
  sessionStorage.setItem(KEPT_AS, JSON.stringify([thing, ...others].slice(0, MOST)));
}
