import { setTimeout as pause } from 'node:timers/promises';

/** Of the time, removing takes one part in so many, and gives way in the others. */
const SHARE = 4;

/** Rests three times as long as a turn of removing took, so that it has a quarter of the time; the signal ends the rest. */
export async function giveWay(tookMs: number, signal?: AbortSignal): Promise<void> {
  await pause(tookMs * (SHARE - 1), undefined, { signal }).catch(() => undefined);
}
