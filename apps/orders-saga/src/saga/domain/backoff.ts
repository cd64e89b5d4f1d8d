/** The gap before the next try after `done` tries, doubling from `baseMs` up to `capMs`; in milliseconds. */
export function doublingGap(done: number, baseMs: number, capMs: number): number {
  return Math.min(baseMs * 2 ** Math.min(done, 30), capMs);
}
