/** A wait with up to a tenth more, so that what failed together does not come back together; never shorter. */
export function jittered(ms: number, random: () => number = Math.random): number {
  return ms * (1 + random() / 10);
}

/** The gap before the next try after `done` tries, doubling from `baseMs` up to `capMs`; in milliseconds. */
export function doublingGap(done: number, baseMs: number, capMs: number): number {
  return Math.min(baseMs * 2 ** Math.min(done, 30), capMs);
}
