/**
 * The ids from the root partner down to a partner itself, stored with each, so that a token needs one row: a recursive query would
 * run for every token. A move rewrites the paths below under one lock that creates share: two moves which each look at the tree as
 * it was are each right and together a cycle, and locks on the two rows do not see what lies between.
 */
type HierarchyPath = readonly string[];

/** The path of a partner whose parent has the given one; undefined makes it a root. */
export function pathBelow(parentPath: HierarchyPath | undefined, partnerId: string): string[] {
  return [...(parentPath ?? []), partnerId];
}

/** True for a partner anywhere below the ancestor, never for the ancestor itself (spec §2.5). */
export function isDescendant(path: HierarchyPath, ancestorId: string): boolean {
  return path.at(-1) !== ancestorId && path.includes(ancestorId);
}

/** True when a partner put below this parent would become its own ancestor. */
export function wouldMakeCycle(parentPath: HierarchyPath, partnerId: string): boolean {
  return parentPath.includes(partnerId);
}
