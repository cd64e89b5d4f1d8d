import { describe, expect, it } from '@jest/globals';
import { Environment, type ListEventsResponse } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { HeldPayload } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import { awaitEvents } from './await-events';
import { FeedWatch } from './feed-watch';

const PARTNER = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
const call: CallContext = {
  requestId: 'test',
  partner: {
    partnerId: PARTNER,
    partnerGlobalId: 'PRT-1',
    path: [PARTNER],
    environment: Environment.SANDBOX,
    clientId: 'c',
  },
};
const EMPTY: ListEventsResponse = { events: [], nextCursor: 'here', hasMore: false, position: '7' };

/** A poll on a machine that takes nothing more once the wait is over. */
const poll = async (feed: FeedWatch): Promise<unknown> => {
  const payload = await awaitEvents('', {
    feed,
    call,
    waitMs: 50,
    read: () => Promise.resolve(EMPTY),
    present: (page) => page,
    comeBack: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  });
  return payload instanceof HeldPayload ? payload.settled() : payload;
};

describe('a long poll on a full machine', () => {
  it('when its time is over, then it is an empty page, whose cursor misses nothing (spec §16.1)', async () => {
    const feed = new FeedWatch({ fetch: () => new Promise(() => undefined) });
    expect(await poll(feed)).toBe(EMPTY);
    feed.close();
  });

  it('when there is an event that cannot be read, then it says so', async () => {
    const moves = [{ partnerId: PARTNER, environment: Environment.SANDBOX, position: '8' }];
    const feed = new FeedWatch({ fetch: () => Promise.resolve({ seen: 'x:1', moves }) });
    await expect(poll(feed)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    feed.close();
  });
});
