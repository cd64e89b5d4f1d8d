import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 25;
/** Leaves the response "not seen" time to arrive before the caller's deadline. */
const RESPONSE_MARGIN_MS = 300;
const LONGEST_WAIT_MS = 10_000;

/** Where a service keeps what it consumed of partners; 0 for a partner it has not seen. */
export interface PartnerVersions {
  findVersion(partnerId: string): Promise<number>;
}

/** Whether a service has consumed a partner's settings in this version or a newer one; waits for it until the call's deadline, at most 10 s. */
export async function awaitPartnerVersion(
  versions: PartnerVersions,
  { partnerId, version }: { partnerId: string; version: number },
  call: { deadlineAt?: number | undefined; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const longest = Date.now() + LONGEST_WAIT_MS;
  const until = Math.min(
    call.deadlineAt === undefined ? longest : call.deadlineAt - RESPONSE_MARGIN_MS,
    longest,
  );
  // Another instance's consumer may be the one that sees it, so the table is what is watched.
  while ((await versions.findVersion(partnerId)) < version) {
    if (Date.now() + POLL_MS > until || call.signal?.aborted) return false;
    await pause(POLL_MS);
  }
  return true;
}
