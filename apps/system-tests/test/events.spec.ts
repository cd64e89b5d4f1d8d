import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import { readPlatformFile } from '../src/platform/platform-file';
import { rowsOf } from '../src/platform/rows-of';

const operator = new OperatorClient(readPlatformFile());

interface Event {
  readonly eventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly data: { readonly externalReference: string; readonly status: string };
}

interface EventsPage {
  readonly items: Event[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

const read = async (client: PartnerClient, query = ''): Promise<EventsPage> =>
  expectSuccess(await client.call<EventsPage>(`/events${query}`));
const outcome = ({ status, state, details }: ApiResponse<unknown>) => [
  status,
  state,
  ...(details.errors ?? []).map(({ path }) => path),
];

/** Reads on from a cursor until so many events came; none of them comes twice. */
async function following(client: PartnerClient, after: string, count: number): Promise<EventsPage> {
  const items: Event[] = [];
  let cursor = after;
  for (;;) {
    const page = await read(client, `?limit=2&after=${cursor}`);
    items.push(...page.items);
    cursor = page.nextCursor;
    if (items.length >= count && !page.hasMore) return { ...page, items };
  }
}

describe('the events feed (spec §16)', () => {
  test('when orders end, then the feed has each once in its order, without any subscription; and each can be read by its id (spec §16.1, §16.2, §16.3)', async () => {
    const { sandbox, live } = await operator.newPartner({ deposit: 1_000 });
    const before = await read(sandbox);
    expect(before).toEqual({ items: [], nextCursor: expect.any(String), hasMore: false });
    const bodies = [newTopup(), newTopup({ phoneNumber: phoneEnding('0001') }), newTopup()];
    for (const body of bodies) expectSuccess(await sandbox.call('/orders/topup', { body }));
    const { items, nextCursor } = await following(sandbox, before.nextCursor, 3);
    expect(
      new Map(items.map(({ eventType, data }) => [data.externalReference, [eventType, data.status]])),
    ).toEqual(
      new Map(
        bodies.map(({ externalReference }, at) => [
          externalReference,
          at === 1 ? ['order.failed', 'Failed'] : ['order.completed', 'Completed'],
        ]),
      ),
    );
    expect(items).toHaveLength(3);

    const waiting = read(sandbox, `?wait=20&limit=100&after=${nextCursor}`);
    const later = newTopup();
    expectSuccess(await sandbox.call('/orders/topup', { body: later }));
    const woken = await waiting;
    expect(woken.items.map(({ data }) => data.externalReference)).toEqual([later.externalReference]);
    items.push(...woken.items);

    expect((await read(sandbox)).items).toEqual(items);
    expect((await read(sandbox, '?eventType=order.failed')).items).toEqual(
      items.filter(({ eventType }) => eventType === 'order.failed'),
    );
    const end = { items: [], nextCursor: woken.nextCursor, hasMore: false };
    expect(await read(sandbox, `?after=${woken.nextCursor}&wait=1`)).toEqual(end);
    const [one] = items;
    expect(expectSuccess(await sandbox.call<Event>(`/events/${one?.eventId ?? ''}`))).toEqual(one);

    expect((await read(live)).items).toEqual([]);
    const foreign = await live.call(`/events?after=${nextCursor}`);
    expect(outcome(foreign)).toEqual([400, 'VALIDATION_FAILED', 'after']);
    expect(outcome(await sandbox.call('/events?after=x'))).toEqual([400, 'VALIDATION_FAILED', 'after']);
    const unknown = await live.call(`/events/${one?.eventId ?? randomUUID()}`);
    expect(outcome(unknown)).toEqual([404, 'NOT_FOUND_EVENT']);
  });

  test('when events behind a cursor are kept no more, then it has expired, and without one the feed begins at what is kept (spec §16.1)', async () => {
    const { id, sandbox } = await operator.newPartner({ deposit: 1_000 });
    const before = await read(sandbox);
    expectSuccess(await sandbox.call('/orders/topup', { body: newTopup() }));
    const { nextCursor } = await following(sandbox, before.nextCursor, 1);
    // As what drops them notes it after 30 days.
    await rowsOf(
      'notifier',
      `UPDATE webhook_feeds f SET dropped_to = (SELECT max(e.position) FROM webhook_feed_events e WHERE e.feed_id = f.id)
       WHERE f.partner_id = $1 AND f.environment = 'sandbox'`,
      [id],
    );
    const expired = await sandbox.call(`/events?after=${before.nextCursor}`);
    expect(outcome(expired)).toEqual([400, 'VALIDATION_CURSOR_EXPIRED']);
    expect((await read(sandbox)).items).toEqual([]);
    const later = newTopup();
    expectSuccess(await sandbox.call('/orders/topup', { body: later }));
    const { items } = await following(sandbox, nextCursor, 1);
    expect(items.map(({ data }) => data.externalReference)).toEqual([later.externalReference]);
  });
});
