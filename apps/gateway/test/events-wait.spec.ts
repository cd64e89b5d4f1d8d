import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, type ListEventsResponse, type AwaitFeedMovesResponse } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { TestGateway, useGateway } from './support/gateway';
import { ACME, somePublicEvent } from './support/samples';

const gateway = useGateway({ ADMISSION_MAX_CONCURRENT: '2' });
/** What notifier has of ACME's feed. */
let events: (typeof somePublicEvent)[] = [];
/** The call that watches, until the test lets it return. */
const watches: ((response: AwaitFeedMovesResponse) => void)[] = [];

function serve(): void {
  const { dependencies } = gateway;
  dependencies.events.listEvents = ({ after }): ListEventsResponse => {
    const from = Number(after || '0');
    const found = events.slice(from);
    const position = String(from + found.length);
    return { events: found, nextCursor: position, hasMore: false, position };
  };
  dependencies.eventWatch.awaitFeedMoves = () => new Promise((resolve) => watches.push(resolve));
}

const move = (position: number, partnerId = ACME): void => {
  const moves = [{ partnerId, environment: Environment.SANDBOX, position: String(position) }];
  for (const watch of watches.splice(0)) watch({ seen: 'x:1', moves });
};
const reads = (): number =>
  gateway.dependencies.seen.calls.filter(({ method }) => method === 'listEvents').length;
const metric = async (name: string): Promise<string | undefined> => {
  const { text } = await gateway.send('/metrics');
  return new RegExp(`^${name}.* (\\S+)$`, 'm').exec(text)?.[1];
};
const get = (query: string) => gateway.sendAs(gateway.token, `/api/v1/events${query}`);
beforeAll(serve);
afterEach(() => {
  events = [];
});

describe('waiting for events', () => {
  it('when an event comes, then all that wait for it are woken by one call, and held no place meanwhile (spec §16.1)', async () => {
    const polls = Promise.all(Array.from({ length: 40 }, () => get('?wait=20')));
    await eventually(async () => expect(await metric('gateway_events_waiting')).toBe('40'));
    await eventually(() => expect(reads()).toBe(40));
    expect(await metric('gateway_admission_under_way\\{class="reads"')).toBe('0');
    await eventually(() => expect(watches).toHaveLength(1));
    move(7, '019a2f3c-0000-7000-8000-000000000001');
    await eventually(() => expect(watches).toHaveLength(1));
    expect(reads()).toBe(40);
    events = [somePublicEvent];
    move(1);
    for (const { status, body } of await polls)
      expect([status, body.payload]).toMatchObject([200, { items: [{}], nextCursor: '1' }]);
    expect(await metric('gateway_events_waiting')).toBe('0');
  });

  it('when the wake-up is lost, then the event is found at the end of the wait; and none is an empty page', async () => {
    const none = await get('?wait=1');
    expect(none.body.payload).toEqual({ items: [], nextCursor: '0', hasMore: false });
    const lost = get('?wait=1');
    await eventually(async () => expect(await metric('gateway_events_waiting')).toBe('1'));
    await eventually(() => expect(reads()).toBe(3));
    events = [somePublicEvent];
    expect((await lost).body.payload).toMatchObject({ items: [{}] });
  });

  it('when its partner is frozen meanwhile, then what comes is not read for it (spec §18.5)', async () => {
    const { revocations } = gateway.dependencies;
    const waits = get('?wait=20');
    await eventually(async () => expect(await metric('gateway_events_waiting')).toBe('1'));
    revocations.frozenPartnerIds = [ACME];
    await eventually(async () => expect((await get('')).status).toBe(401));
    await eventually(() => expect(watches).not.toHaveLength(0));
    events = [somePublicEvent];
    move(1);
    const { status, body } = await waits;
    expect([status, body.state, body.payload]).toEqual([401, 'UNAUTHORIZED_PARTNER_FROZEN', null]);
    expect(await metric('gateway_events_waiting')).toBe('0');
    revocations.frozenPartnerIds = [];
    await eventually(async () => expect((await get('')).status).toBe(200));
  });

  it('when the caller leaves, then nothing waits for it any more', async () => {
    const controller = new AbortController();
    const gone = gateway
      .sendAs(gateway.token, '/api/v1/events?wait=20', { signal: controller.signal })
      .catch(() => 'gone');
    await eventually(async () => expect(await metric('gateway_events_waiting')).toBe('1'));
    controller.abort();
    expect(await gone).toBe('gone');
    await eventually(async () => expect(await metric('gateway_events_waiting')).toBe('0'));
  });

  it('when the gateway stops, then what waits gets an empty page at once', async () => {
    const other = await TestGateway.start();
    other.dependencies.events.listEvents = () => ({
      events: [],
      nextCursor: '0',
      hasMore: false,
      position: '0',
    });
    other.dependencies.eventWatch.awaitFeedMoves = () => new Promise(() => undefined);
    const poll = other.sendAs(await other.signer.sign(), '/api/v1/events?wait=20');
    await eventually(() =>
      expect(other.dependencies.seen.calls.map(({ method }) => method)).toContain('awaitFeedMoves'),
    );
    const [{ status, body }] = await Promise.all([poll, other.stop()]);
    expect([status, body.payload]).toEqual([200, { items: [], nextCursor: '0', hasMore: false }]);
  });
});
