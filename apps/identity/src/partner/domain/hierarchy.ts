/** The ids from the root partner down to a partner itself. */
export type HierarchyPath = readonly string[];

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
