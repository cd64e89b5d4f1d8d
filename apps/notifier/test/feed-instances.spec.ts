import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventServiceService, EventWatchServiceService, Environment } from '@reseller/contracts';
import { createRpcClient, type RpcClient } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import { eventFor } from './start-delivery';
import { MIGRATIONS, someCall, startNotifier, type RunningNotifier } from './start-notifier';

let database: TestDatabase;
let notifiers: RunningNotifier[];
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  notifiers = [await startNotifier(database), await startNotifier(database, { EVENT_RETENTION_MS: '1' })];
});
afterAll(async () => {
  await Promise.all(notifiers.map((notifier) => notifier.stop()));
  await database.drop();
});

const options = { name: 'notifier', defaultDeadlineMs: 60_000 };
async function withClient<T>(
  at: number,
  work: (
    watch: RpcClient<typeof EventWatchServiceService>,
    events: RpcClient<typeof EventServiceService>,
  ) => Promise<T>,
): Promise<T> {
  const address = notifiers[at]?.address ?? '';
  const watch = createRpcClient(EventWatchServiceService, address, options);
  const events = createRpcClient(EventServiceService, address, options);
  try {
    return await work(watch, events);
  } finally {
    watch.close();
    events.close();
  }
}

describe('several instances', () => {
  it('when one passes a move on, also behind what nobody can read, then each of them says so to who watches there', async () => {
    const call = { requestId: 'test' };
    const moves = [['019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10', 'live', '7']];
    for (const unreadable of ['', '{', '{}', '[7]', '[["partner", "live", "no number"]]'])
      await database.pool.query("SELECT pg_notify('webhook_feeds', $1)", [unreadable]);
    const seen = await Promise.all(
      [0, 1].map((at) =>
        withClient(at, async (watch) =>
          eventually(async () => {
            await database.pool.query("SELECT pg_notify('webhook_feeds', $1)", [JSON.stringify(moves)]);
            const response = await watch.awaitFeedMoves({ seen: '', waitMs: 0 }, call);
            expect(response.moves).not.toEqual([]);
            return response.moves;
          }),
        ),
      ),
    );
    const expected = { partnerId: moves[0]?.[0], environment: Environment.LIVE, position: '7' };
    expect(seen).toEqual([[expected], [expected]]);
  });

  it('when events behind a cursor are kept no more, then it has expired, and one behind which nothing was has not (spec §16.1)', async () => {
    const call = someCall();
    const { partnerId } = call.partner;
    const request = { after: '', eventTypes: [], limit: 20 };
    const start = await withClient(1, (_, events) => events.listEvents(request, call));
    const event = eventFor(partnerId);
    await addWebhookEvents(database.pool, [event]);
    const kept = await withClient(0, (_, events) => events.listEvents(request, call));
    expect(kept.events.map(({ eventId }) => eventId)).toEqual([event.eventId]);
    await withClient(1, async (_, events) => {
      // Kept for a millisecond.
      await eventually(() =>
        expect(events.listEvents({ ...request, after: start.nextCursor }, call)).rejects.toMatchObject({
          code: 'VALIDATION_CURSOR_EXPIRED',
        }),
      );
      const after = kept.nextCursor;
      expect(await events.listEvents({ ...request, after }, call)).toMatchObject({
        events: [],
        nextCursor: after,
      });
      expect((await events.listEvents(request, call)).events).toEqual([]);
      await expect(events.getEvent({ eventId: event.eventId }, call)).rejects.toMatchObject({
        code: 'NOT_FOUND_EVENT',
      });
    });
  });
});
