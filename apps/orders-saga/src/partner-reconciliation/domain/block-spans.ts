import { DIFFERENCE_KINDS, type DifferenceCounts, type DifferenceKind } from './reconciliation';

/** A range of one kind's differences, from 0: inclusive, exclusive. */
export interface BlockSpan {
  readonly kind: DifferenceKind;
  readonly from: number;
  readonly to: number;
}

/** What a page of differences is made of, where the kinds stand one behind the other. */
export function spansOf(
  counts: DifferenceCounts,
  only: DifferenceKind | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): BlockSpan[] {
  const spans: BlockSpan[] = [];
  let start = 0;
  for (const kind of only ? [only] : DIFFERENCE_KINDS) {
    const from = Math.max(0, offset - start);
    const to = Math.min(counts[kind], offset + limit - start);
    if (from < to) spans.push({ kind, from, to });
    start += counts[kind];
  }
  return spans;
}
