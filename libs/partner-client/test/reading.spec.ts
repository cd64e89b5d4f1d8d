import { describe, expect, it } from '@jest/globals';
import { ResellerError, type FollowOptions } from '../src/index.ts';
import { clientOf, unavailable } from './client-of';
import { hangsUp, refuses, responds, type Scripted } from './scripted-api';

const page = (ids: number[], number: number, totalPages: number) =>
  responds(200, 'SUCCESS', {
    items: ids.map((id) => ({ orderId: `o-${id}` })),
    pagination: { page: number, totalPages },
  });

describe('lists', () => {
  it('when one is iterated, then each page is read once, and an item that moved down to the next page comes once', async () => {
    const { client, api } = await clientOf([page([5, 4], 1, 3), page([4, 3], 2, 3), page([2], 3, 3)]);
    const seen: string[] = [];
    for await (const { orderId } of client.listTopupOrders({ pageSize: 2 })) seen.push(orderId);
    expect(seen).toEqual(['o-5', 'o-4', 'o-3', 'o-2']);
    expect(api.calls.map(({ url }) => url.split('?')[1])).toEqual([
      'pageSize=2',
      'page=2&pageSize=2',
      'page=3&pageSize=2',
    ]);
  });

  it('when more came in than a page holds, then what moved down by several pages comes once', async () => {
    const { client } = await clientOf([
      page([5, 4], 1, 4),
      page([7, 5], 2, 4),
      page([4, 3], 3, 4),
      page([2], 4, 4),
    ]);
    const seen: string[] = [];
    for await (const { orderId } of client.listTopupOrders({ pageSize: 2 })) seen.push(orderId);
    expect(seen).toEqual(['o-5', 'o-4', 'o-7', 'o-3', 'o-2']);
  });

  it('when one is awaited, then it is one page', async () => {
    const { client, api } = await clientOf([page([5, 4], 1, 3)]);
    expect((await client.listTopupOrders()).items).toHaveLength(2);
    expect(api.calls).toHaveLength(1);
  });
});

describe('the events feed', () => {
  const events = (ids: string[], nextCursor: string, hasMore: boolean) =>
    responds(200, 'SUCCESS', { items: ids.map((eventId) => ({ eventId })), nextCursor, hasMore });

  it('when it is followed, then reading goes on from the stored cursor, which is saved once a page has been handled', async () => {
    const { client, api } = await clientOf([
      events(['1', '2'], 'c2', true),
      events(['3'], 'c3', false),
      events([], 'c3', false),
    ]);
    const happened: string[] = [];
    const cursor = { load: () => 'c0', save: (saved: string) => void happened.push(saved) };
    const follow = () =>
      client.followEvents({ cursor, eventType: ['order.completed', 'order.failed'], untilCaughtUp: true });
    for await (const { eventId } of follow()) happened.push(eventId);
    expect(happened).toEqual(['1', '2', 'c2', '3', 'c3']);
    expect(api.calls.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after'))).toEqual([
      'c0',
      'c2',
    ]);
  });

  it('when the API is away for longer than a call tries, then a reader that has begun goes on where it was', async () => {
    const { client, api } = await clientOf(
      [events(['1'], 'c1', false), hangsUp, unavailable, events(['2'], 'c2', false)],
      { maxAttempts: 1 },
    );
    const seen: string[] = [];
    for await (const { eventId } of client.followEvents()) {
      seen.push(eventId);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['1', '2']);
    expect(api.calls.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after'))).toEqual([
      null,
      'c1',
      'c1',
      'c1',
    ]);
  });

  it.each<[string, Scripted[], FollowOptions]>([
    ['it cannot begin', [unavailable], {}],
    ['it only catches up', [events(['1'], 'c1', true), unavailable], { untilCaughtUp: true }],
    ['the API refuses it', [events(['1'], 'c1', false), refuses(400, 'VALIDATION_CURSOR_EXPIRED')], {}],
  ])('when %s, then a reader ends with the error', async (_why, script, options) => {
    const { client } = await clientOf(script, { maxAttempts: 1 });
    const read = async () => {
      for await (const _ of client.followEvents(options));
    };
    await expect(read()).rejects.toThrow(ResellerError);
  });

  it('when the loop ends inside a page, then the cursor stays where it was', async () => {
    const { client } = await clientOf([events(['1', '2'], 'c2', true)]);
    const saved: string[] = [];
    for await (const _ of client.followEvents({
      cursor: { load: () => undefined, save: (to) => void saved.push(to) },
    }))
      break;
    expect(saved).toEqual([]);
  });
});
