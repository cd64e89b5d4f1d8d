import { isAppError } from '@reseller/errors';
import type { ListEventsResponse } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { requirePartner } from '@reseller/rpc';
import type { FeedWatch } from './feed-watch';

/** How a page is waited for. */
export interface AwaitEvents {
  readonly feed: FeedWatch;
  readonly call: CallContext;
  readonly waitMs: number;
  /** Reads the page behind a cursor. */
  read(after: string): Promise<ListEventsResponse>;
  /** Gives the request's place up while it waits, and takes it again when there is work to be done. */
  stepAside(wait: () => Promise<boolean>): Promise<boolean>;
}

/** Something came that was not wanted: the longer that goes on, the longer until the next look. */
const SPACING_MS = 100;
const LONGEST_SPACING_MS = 1_000;
const TOGETHER_MS = 100;

/**
 * The page behind a cursor, as soon as it has an event or the time is over (spec §16.1). A wake-up that was lost costs no event: the last
 * look is at the end of the wait, or, where the machine is too full for that, the first of the next request. A process that stops
 * returns what it has, an empty page, at once.
 */
export async function awaitEvents(after: string, waiting: AwaitEvents): Promise<ListEventsResponse> {
  const { feed, call, waitMs, read, stepAside } = waiting;
  const until = endOf(Date.now() + waitMs);
  const { signal } = call;
  const following = feed.follow(requirePartner(call));
  try {
    let page = await read(after);
    for (let looks = 0; page.events.length === 0 && !page.hasMore; looks += 1) {
      const { position, nextCursor } = page;
      const notBefore = Math.min(until, Date.now() + Math.min(LONGEST_SPACING_MS, looks * SPACING_MS));
      let isLast = false;
      const goesOn = await stepAside(async () => {
        if (looks > 0) await following.next(FAR, { until: notBefore, signal });
        const end = await following.next(position, { until, signal });
        isLast = end === 'over';
        return end !== 'ended';
      }).catch((error: unknown) => {
        if (isLast && isAppError(error) && error.code === 'SERVICE_UNAVAILABLE') return false;
        throw error;
      });
      if (!goesOn) return page;
      page = await read(nextCursor);
      if (isLast) return page;
    }
    return page;
  } finally {
    following.leave();
  }
}

/** When a wait is over: a little late, together with others, for calls that begin at once share a stream (docs/adr/0012). */
const endOf = (at: number): number => Math.ceil(at / TOGETHER_MS) * TOGETHER_MS;

/** Behind every position there is: waits for the time alone. */
const FAR = String(2n ** 63n - 1n);
