import type { CallContext } from '@reseller/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import type { PartnerProfileRepository } from './partner-profile.repository';

const POLL_MS = 25;
/** Leaves the answer "not seen" time to arrive before the caller's deadline. */
const ANSWER_MARGIN_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** Whether a partner's settings were seen in this version or a newer one, asked until the call's deadline (at most 10 s). */
export async function awaitPartnerVersion(
  profiles: PartnerProfileRepository,
  { partnerId, version }: { partnerId: string; version: number },
  call: Pick<CallContext, 'deadlineAt' | 'signal'>,
): Promise<boolean> {
  const longest = Date.now() + LONGEST_WAIT_MS;
  const until = Math.min(
    call.deadlineAt === undefined ? longest : call.deadlineAt - ANSWER_MARGIN_MS,
    longest,
  );
  // Another instance's consumer may be the one that sees it, so the table is what is watched.
  while ((await profiles.findVersion(partnerId)) < version) {
    if (Date.now() + POLL_MS > until || call.signal?.aborted) return false;
    await pause(POLL_MS);
  }
  return true;
}
