import type { ListEventsResponse } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { HeldPayload } from '@reseller/http-edge';
import { requirePartner, type CallContext } from '@reseller/rpc';
import type { FeedWatch } from './feed-watch';
import type { Following, WaitEnd } from './following';

/** How a page is waited for. */
interface AwaitEvents<Page> {
  readonly feed: FeedWatch;
  readonly call: CallContext;
  readonly waitMs: number;
  /** Reads the page behind a cursor. */
  read(after: string): Promise<ListEventsResponse>;
  present(page: ListEventsResponse): Page;
  /** Takes the request's place again when there is work to be done. */
  comeBack(): Promise<void>;
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
export async function awaitEvents<Page>(
  after: string,
  waiting: AwaitEvents<Page>,
): Promise<Page | HeldPayload> {
  const following = waiting.feed.follow(requirePartner(waiting.call));
  const poll = new LongPoll(waiting, following, endOf(Date.now() + waiting.waitMs));
  return poll.look(after);
}

/** One that is under way. */
class LongPoll<Page> {
  private looks = 0;

  constructor(
    private readonly waiting: AwaitEvents<Page>,
    private readonly following: Following,
    private readonly until: number,
  ) {}

  async look(cursor: string): Promise<Page | HeldPayload> {
    const page = await this.read(cursor);
    if (page.events.length > 0 || page.hasMore) return this.end(page);
    const waited = this.wait(page.position);
    return new HeldPayload(waited, async () => this.goOn(page, await waited));
  }

  private async goOn(page: ListEventsResponse, how: WaitEnd): Promise<Page | HeldPayload> {
    if (how === 'ended') return this.end(page);
    const isLast = how === 'over';
    try {
      await this.waiting.comeBack();
    } catch (error) {
      if (isLast && isAppError(error) && error.code === 'SERVICE_UNAVAILABLE') return this.end(page);
      this.following.leave();
      throw error;
    }
    return isLast ? this.end(await this.read(page.nextCursor)) : this.look(page.nextCursor);
  }

  private async read(cursor: string): Promise<ListEventsResponse> {
    try {
      return await this.waiting.read(cursor);
    } catch (error) {
      this.following.leave();
      throw error;
    }
  }

  private wait(position: string): Promise<WaitEnd> {
    const { signal } = this.waiting.call;
    const spacing = Math.min(LONGEST_SPACING_MS, this.looks * SPACING_MS);
    this.looks += 1;
    const { until } = this;
    if (spacing === 0) return this.following.next(position, { until, signal });
    const notBefore = Math.min(until, Date.now() + spacing);
    return this.following
      .next(FAR, { until: notBefore, signal })
      .then(() => this.following.next(position, { until, signal }));
  }

  private end(page: ListEventsResponse): Page {
    this.following.leave();
    return this.waiting.present(page);
  }
}

/** When a wait is over: a little late, together with others, for calls that begin at once share a stream (docs/adr/0012). */
const endOf = (at: number): number => Math.ceil(at / TOGETHER_MS) * TOGETHER_MS;

/** Behind every position there is: waits for the time alone. */
const FAR = String(2n ** 63n - 1n);
