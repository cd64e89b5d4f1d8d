import { eventually, expect, partnerService, reads, rpc, service, UNREACHABLE } from '../prelude';
import type { Message, Party, World } from '../prelude';
import { completed, delivered, subscribed, testFire } from './arrange';

const LIMIT = { limit: 100 };
const bodyOf = ({ body }: Message): Message => JSON.parse(String(body)) as Message;

/** Publishes so many events of a partner, and waits until they are in its feed; returns the whole of it. */
async function fed(world: World, partner: Party, count = 1): Promise<{ events: Message[]; ids: string[] }> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await completed(world, partner)).eventId);
  const events = await eventually(async () => {
    const all = await partner.list('ListEvents', LIMIT);
    expect(all.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(ids));
    return all;
  });
  return { events, ids };
}

/** The events feed of a partner (spec §16). */
export const feed = partnerService('EventService', {
  ListEvents: rpc((world) => [world.partner(), LIMIT], {
    'every public event, subscribed to or not, and nobody else’s; a test-fire is none': async (use) => {
      const sent = await delivered(use);
      await testFire(sent);
      await fed(use, sent.partner.elsewhere());
      await fed(use, use.partner());
      const { events, ids } = await fed(use, sent.partner);
      expect(events.map(({ event_id }) => event_id)).toEqual([sent.eventId, ...ids]);
      const [one] = events;
      return { ...one, body: bodyOf(one ?? {}) };
    },
    'whoever passes each next_cursor on sees every event exactly once': async (use, { partner }) => {
      const start = await partner.call(use.rpc, LIMIT);
      expect([start.events, start.has_more]).toEqual([[], false]);
      const { events } = await fed(use, partner, 3);
      const seen: Message[] = [];
      for (let after = start.next_cursor, more = true; more;) {
        const page = await partner.call(use.rpc, { after, limit: 1 });
        seen.push(...(page.events as Message[]));
        [after, more] = [page.next_cursor, page.has_more === true];
      }
      expect(seen).toEqual(events);
    },
    'only these types, and the cursor moves past the others': async (use, { partner }) => {
      const { events } = await fed(use, partner, 2);
      const none = await partner.call(use.rpc, { ...LIMIT, event_types: ['order.failed'] });
      expect([none.events, none.has_more]).toEqual([[], false]);
      expect(await partner.list(use.rpc, { ...LIMIT, after: none.next_cursor })).toEqual([]);
      const of = await partner.list(use.rpc, { ...LIMIT, event_types: ['order.failed', 'order.completed'] });
      expect(of).toEqual(events);
    },
    'VALIDATION_FAILED: what is no cursor': { after: 'x' },
    'VALIDATION_FAILED: a cursor of another environment': async (use, { partner, call }) =>
      call({ after: (await partner.elsewhere().call(use.rpc, LIMIT)).next_cursor }),
    'VALIDATION_CURSOR_EXPIRED: events behind the cursor that are 30 days old': UNREACHABLE,
  }),
  GetEvent: reads(
    async (world) => {
      const partner = world.partner();
      const [event = {}] = (await fed(world, partner)).events;
      return [partner, event];
    },
    {
      'NOT_FOUND_EVENT: a test-fire': async (use, { partner, call }) =>
        call({ event_id: (await testFire(await subscribed(use, { partner }))).event_id }),
    },
  ),
});

/** Which feeds have moved, for a gateway. */
export const feedWatch = service('EventWatchService', {
  AwaitFeedMoves: rpc(undefined, {
    'the feeds that got something since the call before, as soon as there is one': async (use) => {
      const partner = use.partner();
      let { seen } = await use.call(use.rpc);
      const published = completed(use, partner);
      const own = await eventually(async () => {
        const reply = await use.call(use.rpc, { seen, wait_ms: 5_000 });
        seen = reply.seen;
        const found = (reply.moves as Message[]).find(({ partner_id }) => partner_id === partner.id);
        expect(found).toBeDefined();
        return found;
      });
      const { eventId } = await published;
      const { events, position } = await partner.call('ListEvents', LIMIT);
      expect((events as Message[]).map(({ event_id }) => event_id)).toEqual([eventId]);
      expect(own).toEqual({ ...partner.ref, position });
    },
    'or none when the time is over': async (use) => {
      const { seen } = await use.call(use.rpc);
      const reply = await use.call(use.rpc, { seen, wait_ms: 0 });
      expect([reply.seen, reply.moves]).toEqual([seen, []]);
    },
  }),
});
