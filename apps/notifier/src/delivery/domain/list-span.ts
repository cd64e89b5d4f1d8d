/** How many deliveries of a list were made on a day. */
export interface DayCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  count: number;
}

/** The days that hold a page, and how many of the newest of those days come before it. */
interface ListSpan {
  newest: string;
  oldest: string;
  skip: number;
}

/**
 * Finds the days that hold the rows from `offset` on, given the counts of all days, newest first; so that a page far back
 * costs no more than its own days. Undefined when the list ends before it.
 */
export function spanOf(
  days: readonly DayCount[],
  { offset, limit }: { offset: number; limit: number },
): ListSpan | undefined {
  let before = 0;
  let span: ListSpan | undefined;
  for (const { day, count } of days) {
    if (before >= offset + limit) break;
    if (before + count > offset) {
      span ??= { newest: day, oldest: day, skip: offset - before };
      span.oldest = day;
    }
    before += count;
  }
  return span;
}
