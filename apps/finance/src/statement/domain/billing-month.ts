import type { Period } from './statement';

/** The first moment of the month after the one a moment is in; months are UTC's. */
function endOfMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
}

/** From `start` to its month's end, or undefined while that month is still open (spec §9.2). */
export function nextClosedMonth(start: Date, now: Date): Period | undefined {
  const to = endOfMonth(start);
  return to <= now ? { from: start, to } : undefined;
}
