/** The window of spec §11.1: 60 s, looked at in four segments of 15 s that start on the clock's multiples. */
export const WINDOW_SECONDS = 60;
export const SEGMENT_COUNT = 4;
export const SEGMENT_MS = (WINDOW_SECONDS * 1000) / SEGMENT_COUNT;

/** The number of the segment an instant (epoch ms) falls into. */
export const segmentOf = (epochMs: number): number => Math.floor(epochMs / SEGMENT_MS);

/**
 * The milliseconds until one request passes again, given the counts of the window's segments, oldest first and the
 * current one last: permits come back only when a whole segment leaves (spec §11.1).
 */
export function msUntilPermit(counts: readonly number[], limit: number, nowMs: number): number {
  const current = segmentOf(nowMs);
  let used = counts.reduce((sum, count) => sum + count, 0);
  for (const [age, count] of counts.entries()) {
    used -= count;
    if (used < limit) {
      const segment = current - (counts.length - 1) + age;
      return (segment + SEGMENT_COUNT) * SEGMENT_MS - nowMs;
    }
  }
  return WINDOW_SECONDS * 1000;
}
